package io.dxnet.transport.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Claim, commit and catch-up buffer: what the consumer sees, in
 * which order, and that nothing finished stays behind.
 */
public final class RingCommitStress {
    private RingCommitStress() {}

    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "Nothing is committed yet.")
    @Outcome(
            id = {"1", "2"},
            expect = ACCEPTABLE,
            desc = "The region at the front, with its content.")
    @Outcome(
            id = {"12", "21"},
            expect = ACCEPTABLE,
            desc = "Both regions, each with its content.")
    @Outcome(expect = FORBIDDEN, desc = "The consumer sees a region that is not written.")
    @State
    public static class ConsumerSeesFinishedRegionsOnly extends RingState {
        public ConsumerSeesFinishedRegionsOnly() {
            super(16, 16);
        }

        @Actor
        public void producer1() {
            send(1);
        }

        @Actor
        public void producer2() {
            send(2);
        }

        @Actor
        public void consumer(I_Result r) {
            r.r1 = readable();
        }
    }

    /** The same with the producers as consumers: two threads, for machines with two cores. */
    @JCStressTest
    @Outcome(
            id = "(0|1|2|12|21), (0|1|2|12|21)",
            expect = ACCEPTABLE,
            desc = "Each sees what is finished up to now, none of it without its content.")
    @Outcome(expect = FORBIDDEN, desc = "A thread sees a region that is not written.")
    @State
    public static class ProducersSeeFinishedRegionsOnly extends RingState {
        public ProducersSeeFinishedRegionsOnly() {
            super(16, 16);
        }

        @Actor
        public void producer1(II_Result r) {
            send(1);
            r.r1 = readable();
        }

        @Actor
        public void producer2(II_Result r) {
            send(2);
            r.r2 = readable();
        }
    }

    /** A consumer that changes a flag finds the claim, or the producer finds the flag changed. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The consumer finds the claim.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The producer finds that the consumer sleeps.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The region stays behind, and no thread signals it.")
    @State
    public static class ClaimIsBeforeWhatIsReadNext extends RingState {
        private volatile int sleeping;

        public ClaimIsBeforeWhatIsReadNext() {
            super(16, 16);
        }

        @Actor
        public void producer(II_Result r) {
            send(1);
            r.r2 = sleeping;
        }

        @Actor
        public void consumer(II_Result r) {
            sleeping = 1;
            r.r1 = ring.hasPostedAll() ? 0 : 1;
        }
    }

    /** What the agent does that stops watching a stream: it awaits what is claimed. */
    @JCStressTest
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "The agent finds the region, with its content.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "The producer finds that it has to signal.")
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "Both.")
    @Outcome(id = "0, 0", expect = FORBIDDEN, desc = "The region stays behind, and no thread signals it.")
    @State
    public static class AgentAwaitsWhatIsClaimed extends RingState {
        private volatile int unwatched;

        public AgentAwaitsWhatIsClaimed() {
            super(16, 16);
        }

        @Actor
        public void producer(II_Result r) {
            send(1);
            r.r2 = unwatched;
        }

        @Actor
        public void agent(II_Result r) {
            unwatched = 1;
            int seen = readable();
            long claimed = ring.claimedBytes();
            if (seen == 0 && !ring.hasPosted(claimed)) {
                while (!ring.hasCommitted(claimed)) {
                    Thread.onSpinWait();
                }
                seen = readable();
            }
            r.r1 = seen;
        }
    }

    /** Several threads move the front at once. */
    @JCStressTest
    @Outcome(id = "12, 12", expect = ACCEPTABLE, desc = "Both find both regions.")
    @Outcome(expect = FORBIDDEN, desc = "The front is lost, or moves over what is not finished.")
    @State
    public static class TwoThreadsCatchUp extends RingState {
        public TwoThreadsCatchUp() {
            super(16, 16);
            send(1);
            send(2);
        }

        @Actor
        public void one(II_Result r) {
            r.r1 = readable();
        }

        @Actor
        public void other(II_Result r) {
            r.r2 = readable();
        }
    }

    /** A CUB of two slots is full until a producer moves the front itself. */
    @JCStressTest
    @Outcome(id = "1, 123", expect = ACCEPTABLE, desc = "The producer claims a third region.")
    @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "It came before the commit.")
    @Outcome(expect = FORBIDDEN, desc = "A region is lost, or a slot is used again too early.")
    @State
    public static class FullCubIsCaughtUpByAProducer extends RingState {
        private final long first = claim();
        private final long second = claim();

        public FullCubIsCaughtUpByAProducer() {
            super(16, 2);
            commit(second, 2);
        }

        @Actor
        public void first() {
            commit(first, 1);
        }

        @Actor
        public void third(II_Result r) {
            long claim = ring.tryClaim(1, Window.OBSERVED);
            if (claim >= 0) {
                r.r1 = 1;
                commit(claim, 3);
            }
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = readable();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1, 12", expect = ACCEPTABLE, desc = "Producer 1 claimed first, its byte is first.")
    @Outcome(id = "1, 0, 21", expect = ACCEPTABLE, desc = "Producer 2 claimed first, its byte is first.")
    @Outcome(expect = FORBIDDEN, desc = "The order on the wire is not the order of claims, or a byte is missing.")
    @State
    public static class OrderOfClaimsIsOrderOnTheWire extends RingState {
        public OrderOfClaimsIsOrderOnTheWire() {
            super(16, 16);
        }

        @Actor
        public void producer1(III_Result r) {
            long claim = claim();
            r.r1 = order(claim);
            commit(claim, 1);
        }

        @Actor
        public void producer2(III_Result r) {
            long claim = claim();
            r.r2 = order(claim);
            commit(claim, 2);
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = readable();
        }
    }

    @JCStressTest
    @Outcome(id = "12", expect = ACCEPTABLE, desc = "Both are finished and the front is behind both.")
    @Outcome(
            id = {"0", "1"},
            expect = FORBIDDEN,
            desc = "The front is lost: all producers have left, finished regions stay behind.")
    @State
    public static class TwoCommitsMoveTheFrontOverBoth extends RingState {
        private final long first = claim();
        private final long second = claim();

        public TwoCommitsMoveTheFrontOverBoth() {
            super(16, 16);
        }

        @Actor
        public void first() {
            commit(first, 1);
        }

        @Actor
        public void second() {
            commit(second, 2);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = readable();
        }
    }

    @JCStressTest
    @Outcome(
            id = "123",
            expect = ACCEPTABLE,
            desc = "All are finished and the front is behind all, whichever producer moved it.")
    @Outcome(expect = FORBIDDEN, desc = "The front is lost, or moved over something else.")
    @State
    public static class ThreeCommitsMoveTheFrontOverAll extends RingState {
        private final long first = claim();
        private final long second = claim();
        private final long third = claim();

        public ThreeCommitsMoveTheFrontOverAll() {
            super(16, 16);
        }

        @Actor
        public void first() {
            commit(first, 1);
        }

        @Actor
        public void second() {
            commit(second, 2);
        }

        @Actor
        public void third() {
            commit(third, 3);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = readable();
        }
    }

    @JCStressTest
    @Outcome(id = "1234", expect = ACCEPTABLE, desc = "Two helpers raced for the front, it is behind all regions.")
    @Outcome(expect = FORBIDDEN, desc = "The front is lost between two helpers.")
    @State
    public static class HelpersRaceForTheFront extends RingState {
        private final long first = claim();
        private final long second = claim();
        private final long third = claim();
        private final long fourth = claim();

        public HelpersRaceForTheFront() {
            super(16, 16);
            commit(fourth, 4);
            commit(second, 2);
        }

        @Actor
        public void first() {
            commit(first, 1);
        }

        @Actor
        public void third() {
            commit(third, 3);
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = readable();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 123", expect = ACCEPTABLE, desc = "The note of the lap before was never used as one of this lap.")
    @Outcome(expect = FORBIDDEN, desc = "A stale note moved the front, or the front is lost.")
    @State
    public static class NotesAreReusedByTheNextLap extends RingState {
        private final long first = claim();
        private final long second = claim();

        public NotesAreReusedByTheNextLap() {
            super(16, 2);
        }

        @Actor
        public void firstThenThird(II_Result r) {
            commit(first, 1);
            long third = ring.tryClaim(1, Window.OBSERVED); // the note of the first
            r.r1 = third < 0 ? -1 : 0;
            commit(third, 3);
        }

        @Actor
        public void second() {
            commit(second, 2);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r2 = readable();
        }
    }

    /** Producers that wait for each other's notes: a catch-up buffer of two entries. */
    abstract static class SmallCatchUpBuffer extends RingState {
        private static final int EACH = 4;

        SmallCatchUpBuffer() {
            super(16, 2);
        }

        final void sendAll(int value) {
            for (int i = 0; i < EACH; i++) {
                send(value);
            }
        }

        /**
         * Stores what is claimed and not readable, and what the
         * bytes lack of the sum of all that was sent.
         */
        final void check(II_Result r, int sumOfValues) {
            r.r1 = (int) ring.pending() - ring.readable();
            r.r2 = EACH * sumOfValues;
            for (int offset = 0; offset < ring.capacity(); offset++) {
                r.r2 -= memory(offset);
            }
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "All that was claimed is committed, nothing is left over.")
    @Outcome(expect = FORBIDDEN, desc = "The front is lost, or a byte is.")
    @State
    public static class TwoProducersShareASmallCatchUpBuffer extends SmallCatchUpBuffer {
        @Actor
        public void producer1() {
            sendAll(1);
        }

        @Actor
        public void producer2() {
            sendAll(2);
        }

        @Arbiter
        public void after(II_Result r) {
            check(r, 1 + 2);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "All that was claimed is committed, nothing is left over.")
    @Outcome(expect = FORBIDDEN, desc = "The front is lost, or a byte is.")
    @State
    public static class ThreeProducersShareASmallCatchUpBuffer extends SmallCatchUpBuffer {
        @Actor
        public void producer1() {
            sendAll(1);
        }

        @Actor
        public void producer2() {
            sendAll(2);
        }

        @Actor
        public void producer3() {
            sendAll(3);
        }

        @Arbiter
        public void after(II_Result r) {
            check(r, 1 + 2 + 3);
        }
    }
}
