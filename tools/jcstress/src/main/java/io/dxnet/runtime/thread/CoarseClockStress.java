package io.dxnet.runtime.thread;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** The coarse clock does not rest after a tick during which a thread sent. */
public final class CoarseClockStress {
    private CoarseClockStress() {}

    /**
     * The clock ticks and is used at the same time. Results: what
     * {@code use} returned, and whether the clock rests.
     */
    private static class TickBesideUse {
        final CoarseClock clock = new CoarseClock();
    }

    /** While it runs. */
    @JCStressTest
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "The tick saw the use, or came before it began to rest.")
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "It had just begun to rest, and its thread is woken up.")
    @Outcome(expect = FORBIDDEN, desc = "It rests although a thread sends.")
    @State
    public static class RunningClockGoesOn extends TickBesideUse {
        @Actor
        public void clock() {
            clock.advance(false);
        }

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = clock.use();
        }

        @Arbiter
        public void after(ZZ_Result r) {
            r.r2 = clock.isIdle();
        }
    }

    /** While it rests. */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "It rested, and its thread is woken up.")
    @Outcome(id = "false, false", expect = ACCEPTABLE, desc = "Its thread was awake and saw the use.")
    @Outcome(expect = FORBIDDEN, desc = "It rests although a thread sends.")
    @State
    public static class RestingClockGoesOn extends TickBesideUse {
        public RestingClockGoesOn() {
            clock.advance(false);
        }

        @Actor
        public void clock() {
            clock.advance(false);
        }

        @Actor
        public void sender(ZZ_Result r) {
            r.r1 = clock.use();
        }

        @Arbiter
        public void after(ZZ_Result r) {
            r.r2 = clock.isIdle();
        }
    }

    /**
     * Two senders at once: one whose {@code use} returns false
     * relies on the other to signal the clock's thread.
     */
    @JCStressTest
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "One of them wakes it up.")
    @Outcome(expect = FORBIDDEN, desc = "No sender wakes it up, or it rests.")
    @State
    public static class OneOfTwoSendersWakesTheClock extends TickBesideUse {
        private boolean first;
        private boolean second;

        public OneOfTwoSendersWakesTheClock() {
            clock.advance(false);
        }

        @Actor
        public void first() {
            first = clock.use();
        }

        @Actor
        public void second() {
            second = clock.use();
        }

        @Arbiter
        public void after(ZZ_Result r) {
            r.r1 = first || second;
            r.r2 = clock.isIdle();
        }
    }
}
