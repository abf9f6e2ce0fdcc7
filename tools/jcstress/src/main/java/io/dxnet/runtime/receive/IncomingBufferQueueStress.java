package io.dxnet.runtime.receive;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.StressBuffers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/** The incoming buffer queue: several producers, one consumer. A buffer's length identifies it. */
public final class IncomingBufferQueueStress {
    private static final IncomingBuffer ONE = StressBuffers.of(1);
    private static final IncomingBuffer TWO = StressBuffers.of(2);
    private static final IncomingBuffer THREE = StressBuffers.of(3);
    private static final long NO_LIMIT = 1 << 20;

    private IncomingBufferQueueStress() {}

    /**
     * Polls the queue until it is empty and appends the
     * lengths, as decimal digits, to those polled before.
     */
    private static int takeAll(IncomingBufferQueue queue, int digits) {
        int all = digits;
        for (IncomingBuffer buffer = queue.poll(); buffer != null; buffer = queue.poll()) {
            all = all * 10 + buffer.length();
        }
        return all;
    }

    @JCStressTest
    @Outcome(
            id = {"123, 0", "132, 0", "312, 0"},
            expect = ACCEPTABLE,
            desc = "All three came out once, those of one producer in its order, and no byte is counted any more.")
    @Outcome(expect = FORBIDDEN, desc = "A buffer is lost, came twice or overtook another, or the bytes are wrong.")
    @State
    public static class EachProducersOrderIsKept {
        private final IncomingBufferQueue queue = new IncomingBufferQueue(4, NO_LIMIT);
        private int taken;

        @Actor
        public void producer() {
            queue.offer(ONE);
            queue.offer(TWO);
        }

        @Actor
        public void producerAndConsumer() {
            queue.offer(THREE);
            taken = takeAll(queue, 0);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = takeAll(queue, taken);
            r.r2 = (int) queue.bytes();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 1", "2, 2"},
            expect = ACCEPTABLE,
            desc = "One got the last place, and that buffer is in the queue; the other's was refused.")
    @Outcome(expect = FORBIDDEN, desc = "Both got the last place, or none did, or the queue has another buffer.")
    @State
    public static class TheLastPlaceIsGivenOnce {
        private final IncomingBufferQueue queue = new IncomingBufferQueue(1, NO_LIMIT);
        private boolean first;
        private boolean second;

        @Actor
        public void producer1() {
            first = queue.offer(ONE);
        }

        @Actor
        public void producer2() {
            second = queue.offer(TWO);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = (first ? 1 : 0) + (second ? 2 : 0);
            r.r2 = takeAll(queue, 0);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "The one byte fitted, the three did not.")
    @Outcome(id = "3, 3", expect = ACCEPTABLE, desc = "The queue was empty for the three; then the one did not fit.")
    @Outcome(expect = FORBIDDEN, desc = "More bytes than allowed, none at all, or a buffer whose offer was refused.")
    @State
    public static class TheBytesAreBounded {
        private final IncomingBufferQueue queue = new IncomingBufferQueue(4, 3);
        private boolean one;
        private boolean three;

        @Actor
        public void producerOfOne() {
            one = queue.offer(ONE);
        }

        @Actor
        public void producerOfThree() {
            three = queue.offer(THREE);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = (one ? 1 : 0) + (three ? 3 : 0);
            r.r2 = takeAll(queue, 0);
        }
    }

    @JCStressTest
    @Outcome(id = "12, 0", expect = ACCEPTABLE, desc = "The consumer had made room.")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The producer came too early and was refused.")
    @Outcome(expect = FORBIDDEN, desc = "The producer's buffer replaced another, or bytes are left over.")
    @State
    public static class APlaceIsFreeAfterItsBufferWasTaken {
        private final IncomingBufferQueue queue = new IncomingBufferQueue(1, NO_LIMIT);
        private int taken;

        public APlaceIsFreeAfterItsBufferWasTaken() {
            queue.offer(ONE);
        }

        @Actor
        public void consumer() {
            taken = queue.poll().length();
        }

        @Actor
        public void producer() {
            queue.offer(TWO);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = takeAll(queue, taken);
            r.r2 = (int) queue.bytes();
        }
    }

    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "Not there yet.")
    @Outcome(id = "5", expect = ACCEPTABLE_INTERESTING, desc = "There, with the length that its producer wrote.")
    @Outcome(expect = FORBIDDEN, desc = "The consumer sees the buffer and not what was written before it was offered.")
    @State
    public static class TheConsumerSeesWhatTheProducerWrote {
        private final IncomingBufferQueue queue = new IncomingBufferQueue(2, NO_LIMIT);
        private final IncomingBuffer buffer = StressBuffers.of(1);

        @Actor
        public void producer() {
            buffer.length(5);
            queue.offer(buffer);
        }

        @Actor
        public void consumer(I_Result r) {
            IncomingBuffer got = queue.poll();
            r.r1 = got == null ? 0 : got.length();
        }
    }
}
