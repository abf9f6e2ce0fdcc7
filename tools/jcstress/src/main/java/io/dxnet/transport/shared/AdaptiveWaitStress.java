package io.dxnet.transport.shared;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * An agent's wait: no agent sleeps while it has work, and none is woken up twice from one sleep.
 */
public final class AdaptiveWaitStress {
    private static final long SLEEP_NS = 10_000_000_000L;
    private static final DXNetConfig AT_ONCE =
            DXNetConfig.builder().parkingStrategy(ParkingStrategy.ALWAYS).build();

    private AdaptiveWaitStress() {}

    /** Work, and a sleep that ends with a wake-up or after its whole time. */
    private static class Slept implements AdaptiveWait.Sleeper {
        volatile int work;
        boolean whole;
        final AtomicInteger wakeUps = new AtomicInteger();
        final AdaptiveWait wait = new AdaptiveWait(BusyPhase.of(AT_ONCE), 0, this);
        private final Semaphore end = new Semaphore(0);

        /** Whether a sleep lasted its whole time, and how many wake-ups there were. */
        void tell(II_Result r) {
            r.r1 = whole ? 1 : 0;
            r.r2 = wakeUps.get();
        }

        @Override
        public boolean hasWork() {
            return work > 0;
        }

        @Override
        public boolean hasWorkBeforeSleep() {
            return work > 0;
        }

        @Override
        public void sleep(long timeoutNs) {
            try {
                whole |= !end.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void endSleep() {
            wakeUps.incrementAndGet();
            end.release();
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The agent saw the work before it slept.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was woken up, asleep or on the way to it.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "It slept over the work.")
    @State
    public static class NobodySleepsOverWork extends Slept {
        @Actor
        public void agent() {
            wait.sleep(SLEEP_NS);
        }

        @Actor
        public void poster() {
            work = 1;
            wait.wakeIfAsleep();
        }

        @Arbiter
        public void result(II_Result r) {
            tell(r);
        }
    }

    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The agent saw the work before it slept.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was woken up once, asleep or on the way to it.")
    @Outcome(id = "0, 2", expect = FORBIDDEN, desc = "It was woken up twice from one sleep.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "It slept over the work.")
    @State
    public static class OneWakeUpForOneSleep extends Slept {
        @Actor
        public void agent() {
            wait.sleep(SLEEP_NS);
        }

        @Actor
        public void poster() {
            work = 1;
            wait.wakeIfAsleep();
            work = 2;
            wait.wakeIfAsleep();
        }

        @Arbiter
        public void result(II_Result r) {
            tell(r);
        }
    }

    /** A wake-up does not wait for a sleep: the next one is over at once. */
    @JCStressTest
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "The notification came first.")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "It was woken up, asleep or on the way to it.")
    @Outcome(id = "1, 0", expect = FORBIDDEN, desc = "The notification was lost.")
    @State
    public static class ANotificationWithoutWorkIsKept extends Slept {
        @Actor
        public void agent() {
            wait.sleep(SLEEP_NS);
        }

        @Actor
        public void waker() {
            wait.wakeup();
        }

        @Arbiter
        public void result(II_Result r) {
            tell(r);
        }
    }
}
