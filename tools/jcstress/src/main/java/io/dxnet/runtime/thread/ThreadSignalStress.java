package io.dxnet.runtime.thread;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** The threadSignal: no agent sleeps while it has work. */
public final class ThreadSignalStress {
    private static final long SLEEP_NS = 10_000_000_000L;

    private ThreadSignalStress() {}

    @JCStressTest
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "The sleeper saw the work before it slept, or was woken up.")
    @Outcome(
            id = "1",
            expect = FORBIDDEN,
            desc = "The wake-up was lost: the sleep lasted as long as it was allowed to.")
    @State
    public static class NobodySleepsOverWork {
        private final ThreadSignal threadSignal = new ThreadSignal();
        private boolean work; // plain: the threadSignal's fences are what is tested

        @Actor
        public void sleeper(I_Result r) {
            long startNs = System.nanoTime();
            threadSignal.await(() -> work, SLEEP_NS);
            r.r1 = System.nanoTime() - startNs < SLEEP_NS ? 0 : 1;
        }

        @Actor
        public void ringer() {
            work = true;
            threadSignal.raise();
        }
    }

    /** Two at once, as the receiving thread and a handler ring. */
    @JCStressTest
    @Outcome(
            id = "0",
            expect = ACCEPTABLE,
            desc = "The sleeper saw both pieces of work, without a sleep of full length.")
    @Outcome(id = "1", expect = FORBIDDEN, desc = "A wake-up was lost.")
    @State
    public static class TwoRingersLeaveNobodyAsleep {
        private final ThreadSignal threadSignal = new ThreadSignal();
        private volatile int work;

        @Actor
        public void sleeper(I_Result r) {
            long startNs = System.nanoTime();
            for (int seen = 0; seen < 2; ) {
                int known = seen;
                threadSignal.await(() -> work > known, SLEEP_NS);
                seen = work;
            }
            r.r1 = System.nanoTime() - startNs < SLEEP_NS ? 0 : 1;
        }

        @Actor
        public void ringer() {
            work = 1;
            threadSignal.raise();
            work = 2;
            threadSignal.raise();
        }
    }
}
