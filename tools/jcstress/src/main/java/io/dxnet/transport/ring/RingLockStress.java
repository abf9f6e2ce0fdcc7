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

/** The claim side's flags: one thread that streams a large message, and the ring being closed. */
public final class RingLockStress {
    private RingLockStress() {}

    @JCStressTest
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "The other producer was locked out.")
    @Outcome(
            id = {"112", "211"},
            expect = ACCEPTABLE,
            desc = "The other producer's region is before or behind the stream.")
    @Outcome(expect = FORBIDDEN, desc = "The other producer's region is inside the stream, or something is lost.")
    @State
    public static class NobodyWritesIntoAStream extends RingState {
        public NobodyWritesIntoAStream() {
            super(16, 16);
        }

        @Actor
        public void stream() {
            if (ring.tryLock()) {
                for (int i = 0; i < 2; i++) {
                    if (ring.tryClaimLocked(1, Window.OBSERVED) == 1) {
                        commit(ring.lockedClaim(), 1);
                    }
                }
                ring.unlock();
            }
        }

        @Actor
        public void other() {
            long claim = ring.tryClaim(1, Window.OBSERVED);
            if (claim >= 0) {
                commit(claim, 2);
            }
        }

        @Arbiter
        public void after(I_Result r) {
            r.r1 = readable();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE,
            desc = "One thread streams.")
    @Outcome(expect = FORBIDDEN, desc = "Two threads stream, or none.")
    @State
    public static class OneThreadGetsTheLock extends RingState {
        public OneThreadGetsTheLock() {
            super(16, 16);
        }

        @Actor
        public void first(II_Result r) {
            r.r1 = ring.tryLock() ? 1 : 0;
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = ring.tryLock() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "Closed before the claim; the memory may be reused at once.")
    @Outcome(
            id = "1, 0, 1",
            expect = ACCEPTABLE,
            desc = "A producer was writing when the ring was closed, and has left since.")
    @Outcome(id = "1, 1, 1", expect = ACCEPTABLE, desc = "The producer was finished when the ring was closed.")
    @Outcome(
            id = "1, 2, 1",
            expect = FORBIDDEN,
            desc = "The ring reported its memory as unused while a producer was writing.")
    @Outcome(expect = FORBIDDEN, desc = "A closed ring without producers is not quiescent.")
    @State
    public static class ClosedRingIsQuiescentWhenProducersHaveLeft extends RingState {
        public ClosedRingIsQuiescentWhenProducersHaveLeft() {
            super(1, 16);
        }

        @Actor
        public void producer(III_Result r) {
            long claim = ring.tryClaim(1, Window.OBSERVED);
            if (claim >= 0) {
                r.r1 = 1;
                commit(claim, 5);
            }
        }

        @Actor
        public void closer(III_Result r) {
            ring.close();
            if (ring.isQuiescent()) {
                // The position shows whether the byte was
                // claimed; if so, it must have been written.
                boolean written = memory(0) == 5;
                r.r2 = ring.pending() == 0 || written ? 1 : 2;
            }
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = ring.isQuiescent() ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, -2", expect = ACCEPTABLE, desc = "Closed, whether the stream ended before or after.")
    @Outcome(expect = FORBIDDEN, desc = "The end of the stream opened the ring again, or left its lock behind.")
    @State
    public static class AStreamThatEndsLeavesTheRingClosed extends RingState {
        public AStreamThatEndsLeavesTheRingClosed() {
            super(16, 16);
            ring.tryLock();
        }

        @Actor
        public void stream() {
            if (ring.tryClaimLocked(1, Window.OBSERVED) == 1) {
                commit(ring.lockedClaim(), 1);
            }
            ring.unlock();
        }

        @Actor
        public void closer() {
            ring.close();
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 = ring.isQuiescent() ? 1 : 0;
            r.r2 = (int) ring.tryClaim(1, Window.OBSERVED);
        }
    }
}
