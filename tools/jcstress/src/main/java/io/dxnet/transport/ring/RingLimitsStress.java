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
 * What producers may claim while the consumer frees memory and the flow control opens the window.
 */
public final class RingLimitsStress {
    private RingLimitsStress() {}

    @JCStressTest
    @Outcome(id = "11, 0, 0", expect = ACCEPTABLE, desc = "The producer came too early: FULL.")
    @Outcome(id = "11, 1, 9", expect = ACCEPTABLE, desc = "The producer wrote to the memory that the consumer freed.")
    @Outcome(expect = FORBIDDEN, desc = "The consumer read what a producer wrote over it.")
    @State
    public static class MemoryIsFreeAfterTheConfirmationOnly extends RingState {
        public MemoryIsFreeAfterTheConfirmationOnly() {
            super(2, 16);
            send(1);
            send(1);
        }

        @Actor
        public void consumer(III_Result r) {
            r.r1 = consume();
        }

        @Actor
        public void producer(III_Result r) {
            long claim = ring.tryClaim(1, Window.OBSERVED);
            if (claim >= 0) {
                r.r2 = 1;
                commit(claim, 9);
            }
        }

        @Arbiter
        public void after(III_Result r) {
            r.r3 = readable();
        }
    }

    @JCStressTest
    @Outcome(
            id = {"0, 1", "1, 0"},
            expect = ACCEPTABLE,
            desc = "One got the last byte of the memory, the other got FULL.")
    @Outcome(expect = FORBIDDEN, desc = "Both claimed the same byte, or none did.")
    @State
    public static class TheLastByteIsClaimedOnce extends RingState {
        public TheLastByteIsClaimedOnce() {
            super(2, 16);
            send(1);
        }

        @Actor
        public void producer1(II_Result r) {
            r.r1 = ring.tryClaim(1, Window.OBSERVED) >= 0 ? 1 : 0;
        }

        @Actor
        public void producer2(II_Result r) {
            r.r2 = ring.tryClaim(1, Window.OBSERVED) >= 0 ? 1 : 0;
        }
    }

    @JCStressTest
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "There was room for both all the time, and both got it.")
    @Outcome(expect = FORBIDDEN, desc = "FULL although there is room.")
    @State
    public static class RoomForBothIsGivenToBoth extends RingState {
        public RoomForBothIsGivenToBoth() {
            super(16, 16);
        }

        private int trySend(int value) {
            long claim = ring.tryClaim(1, Window.OBSERVED);
            if (claim < 0) {
                return 0;
            }
            commit(claim, value);
            return 1;
        }

        @Actor
        public void producer1(II_Result r) {
            r.r1 = trySend(1);
        }

        @Actor
        public void producer2(II_Result r) {
            r.r2 = trySend(2);
        }
    }

    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The producer came before the window was opened.")
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "One byte of window is one region of one byte.")
    @Outcome(expect = FORBIDDEN, desc = "More is on its way than the window allows.")
    @State
    public static class TheOpenedWindowIsUsedOnce extends RingState {
        public TheOpenedWindowIsUsedOnce() {
            super(16, 16, 1);
            send(1);
        }

        @Actor
        public void flowControl() {
            ring.extendWindow(1);
        }

        @Actor
        public void producer(I_Result r) {
            for (int i = 0; i < 2; i++) {
                r.r1 += ring.tryClaim(1, Window.OBSERVED) >= 0 ? 1 : 0;
            }
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "Both came before the window was opened.")
    @Outcome(
            id = {"0, 1", "1, 0"},
            expect = ACCEPTABLE,
            desc = "One byte of window is one region of one byte.")
    @Outcome(id = "1, 1", expect = FORBIDDEN, desc = "More is on its way than the window allows.")
    @State
    public static class TheWindowIsUsedOnce extends RingState {
        public TheWindowIsUsedOnce() {
            super(16, 16, 1);
            send(1);
        }

        @Actor
        public void flowControl() {
            ring.extendWindow(1);
        }

        @Actor
        public void producer1(II_Result r) {
            r.r1 = ring.tryClaim(1, Window.OBSERVED) >= 0 ? 1 : 0;
        }

        @Actor
        public void producer2(II_Result r) {
            r.r2 = ring.tryClaim(1, Window.OBSERVED) >= 0 ? 1 : 0;
        }
    }
}
