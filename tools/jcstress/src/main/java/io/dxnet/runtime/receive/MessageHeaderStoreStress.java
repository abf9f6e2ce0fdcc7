package io.dxnet.runtime.receive;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.StressBuffers;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * The message header store: one producer, several consumers. Run number n
 * lies in buffer n from n to n + 1, so a mixed-up entry shows.
 */
public final class MessageHeaderStoreStress {
    private static final IncomingBuffer[] BUFFERS = {
        StressBuffers.of(1), StressBuffers.of(1), StressBuffers.of(2), StressBuffers.of(3)
    };
    private static final int MIXED_UP = 9;

    private MessageHeaderStoreStress() {}

    private static boolean offer(MessageHeaderStore store, int number) {
        return store.offerRun(BUFFERS[number], number, number + 1, 0);
    }

    /** The number of the next run, 0 when there is none. */
    private static int poll(MessageHeaderStore store, Batch batch) {
        if (!store.poll(batch)) {
            return 0;
        }
        int number = batch.start;
        return number >= 1 && number <= 3 && batch.end == number + 1 && batch.buffer == BUFFERS[number]
                ? number
                : MIXED_UP;
    }

    private static int takeAll(MessageHeaderStore store, int digits) {
        Batch batch = new Batch();
        int all = digits;
        for (int number = poll(store, batch); number > 0; number = poll(store, batch)) {
            all = all * 10 + number;
        }
        return all;
    }

    @JCStressTest
    @Outcome(
            id = {"1, 23, 0", "12, 3, 0", "13, 2, 0", "2, 13, 0", "23, 1, 0", "3, 12, 0", "123, 0, 0", "0, 123, 0"},
            expect = ACCEPTABLE,
            desc = "One handler got each run, and each handler got its own in order.")
    @Outcome(expect = FORBIDDEN, desc = "A run was handled twice, not at all, out of order, or was mixed up.")
    @State
    public static class EachRunGoesToOneHandler {
        private final MessageHeaderStore store = new MessageHeaderStore(4);

        public EachRunGoesToOneHandler() {
            offer(store, 1);
            offer(store, 2);
            offer(store, 3);
        }

        @Actor
        public void handler1(III_Result r) {
            r.r1 = takeAll(store, 0);
        }

        @Actor
        public void handler2(III_Result r) {
            r.r2 = takeAll(store, 0);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = takeAll(store, 0);
        }
    }

    @JCStressTest
    @Outcome(
            id = {"0, 123", "1, 123", "12, 123", "123, 123"},
            expect = ACCEPTABLE,
            desc = "The handler polled what was there, and all came in order.")
    @Outcome(expect = FORBIDDEN, desc = "A run is lost, came twice, overtook another or was mixed up.")
    @State
    public static class AHandlerTakesRunsInOrder {
        private final MessageHeaderStore store = new MessageHeaderStore(4);

        @Actor
        public void coordinator() {
            offer(store, 1);
            offer(store, 2);
            offer(store, 3);
        }

        @Actor
        public void handler(II_Result r) {
            r.r1 = takeAll(store, 0);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = takeAll(store, r.r1);
        }
    }

    @JCStressTest
    @Outcome(id = "1, 0, 12", expect = ACCEPTABLE, desc = "The coordinator came too early: full.")
    @Outcome(id = "1, 1, 123", expect = ACCEPTABLE, desc = "The place was free.")
    @Outcome(expect = FORBIDDEN, desc = "The coordinator wrote over a run that no handler had polled.")
    @State
    public static class APlaceIsFreeAfterItsRunWasTaken {
        private final MessageHeaderStore store = new MessageHeaderStore(2);

        public APlaceIsFreeAfterItsRunWasTaken() {
            offer(store, 1);
            offer(store, 2);
        }

        @Actor
        public void handler(III_Result r) {
            r.r1 = poll(store, new Batch());
        }

        @Actor
        public void coordinator(III_Result r) {
            r.r2 = offer(store, 3) ? 1 : 0;
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = takeAll(store, r.r1);
        }
    }

    /** Needs three cores. */
    @JCStressTest
    @Outcome(
            id = {"0, 0, 12", "1, 0, 2", "0, 1, 2", "0, 2, 1", "2, 0, 1", "1, 2, 0", "2, 1, 0"},
            expect = ACCEPTABLE,
            desc = "Each run was polled once, by the first handler that found it.")
    @Outcome(expect = FORBIDDEN, desc = "A run was handled twice, not at all, or was mixed up.")
    @State
    public static class TwoHandlersAndTheCoordinator {
        private final MessageHeaderStore store = new MessageHeaderStore(2);

        @Actor
        public void coordinator() {
            offer(store, 1);
            offer(store, 2);
        }

        @Actor
        public void handler1(III_Result r) {
            r.r1 = poll(store, new Batch());
        }

        @Actor
        public void handler2(III_Result r) {
            r.r2 = poll(store, new Batch());
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = takeAll(store, 0);
        }
    }
}
