package io.dxnet.transport.shared;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ParkingStrategy;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waiting and waking up: whatever the two threads are at, no work is slept over. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AdaptiveWaitTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long SLEEP_NS_MIN = TimeUnit.MILLISECONDS.toNanos(1);

    /** Work is a number that grows; it does not end a sleep by itself. */
    private static class Counter implements AdaptiveWait.Sleeper {
        final AtomicInteger posted = new AtomicInteger();
        volatile int done;
        final Semaphore wakeUps = new Semaphore(0);
        final AtomicInteger sleeps = new AtomicInteger();
        final AtomicInteger wakeUpCalls = new AtomicInteger();

        @Override
        public boolean hasWork() {
            return posted.get() != done;
        }

        @Override
        public boolean hasWorkBeforeSleep() {
            return hasWork();
        }

        @Override
        public void sleep(long timeoutNs) {
            sleeps.incrementAndGet();
            try {
                if (wakeUps.tryAcquire(timeoutNs, TimeUnit.NANOSECONDS)) {
                    wakeUps.drainPermits();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public void endSleep() {
            wakeUpCalls.incrementAndGet();
            wakeUps.release();
        }
    }

    private static AdaptiveWait wait(Counter work, int spinUs, int yieldUs) {
        return new AdaptiveWait(BusyPhaseTest.phase(ParkingStrategy.ADAPTIVE, spinUs, yieldUs), SLEEP_NS_MIN, work);
    }

    @ParameterizedTest(name = "spins {0} µs, yields {1} µs, parks: {2}")
    @CsvSource({
        "0, 0, false", "20, 0, false", "0, 20, false", "5, 5, false",
        "0, 0, true", "20, 0, true", "0, 20, true", "5, 5, true"
    })
    void shouldNeverSleepOverWork(int spinUs, int yieldUs, boolean parks) throws Exception {
        Counter work = new Counter();
        AdaptiveWait wait = new AdaptiveWait(
                BusyPhaseTest.phase(ParkingStrategy.ADAPTIVE, spinUs, yieldUs),
                parks ? Long.MAX_VALUE : SLEEP_NS_MIN,
                work);
        int rounds = 20_000;
        Thread agent = Thread.ofPlatform().start(() -> {
            while (work.done < rounds) {
                int posted = work.posted.get();
                if (posted != work.done) {
                    work.done = posted;
                    wait.worked();
                } else {
                    wait.await(LONG_NS);
                }
            }
        });
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        for (int i = 1; i <= rounds && System.nanoTime() - endNs < 0; i++) {
            work.posted.set(i);
            wait.wakeIfAsleep();
            long roundNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (work.done < i) {
                assertThat(System.nanoTime() - roundNs)
                        .as("a wake-up is lost in round %d", i)
                        .isNegative();
                Thread.onSpinWait();
            }
            for (int spin = i * 37 % 200; spin > 0; spin--) {
                Thread.onSpinWait();
            }
        }
        work.posted.set(rounds);
        wait.wakeup();
        agent.join(TimeUnit.SECONDS.toMillis(20));
        assertThat(agent.isAlive()).isFalse();
    }

    @Test
    void shouldNotWaitAfterAWakeUpThatCameBefore() {
        Counter work = new Counter();
        AdaptiveWait wait = wait(work, 0, 0);
        wait.wakeup();
        wait.await(LONG_NS);
        wait.wakeup();
        wait.sleep(LONG_NS);
        assertThat(work.sleeps).hasValue(0);
        assertThat(work.wakeUpCalls).hasValue(0);
    }

    @Test
    void shouldCallNobodyWhoIsAwake() {
        Counter work = new Counter();
        AdaptiveWait wait = wait(work, 0, 0);
        wait.wakeIfAsleep();
        assertThat(work.wakeUpCalls).hasValue(0);
        wait.await(SLEEP_NS_MIN + TimeUnit.MILLISECONDS.toNanos(1));
        assertThat(work.sleeps).as("no wake-up was left over").hasValue(1);
    }

    @Test
    void shouldParkWhenTheTimeIsShorterThanASleep() {
        Counter work = new Counter();
        AdaptiveWait wait = wait(work, 0, 0);
        wait.await(SLEEP_NS_MIN / 2);
        wait.sleep(SLEEP_NS_MIN / 2);
        assertThat(work.sleeps).hasValue(0);
    }

    @Test
    void shouldReturnWhenTheTimeIsUp() {
        Counter work = new Counter();
        AdaptiveWait wait = wait(work, 1, 1);
        for (long ns : new long[] {0, -1, 1000, 500_000, 5_000_000}) {
            long startNs = System.nanoTime();
            wait.await(ns);
            wait.sleep(ns);
            assertThat(System.nanoTime() - startNs).isLessThan(LONG_NS / 2);
        }
    }

    @Test
    void shouldRunAgainWhenTheSleeperThrew() {
        Counter work = new Counter() {
            @Override
            public void sleep(long timeoutNs) {
                super.sleep(0);
                throw new IllegalStateException("closed");
            }
        };
        AdaptiveWait wait = wait(work, 0, 0);
        for (int i = 1; i <= 2; i++) {
            try {
                wait.sleep(LONG_NS);
            } catch (IllegalStateException expected) {
                // The sleeper's.
            }
            assertThat(work.sleeps).hasValue(i);
        }
    }
}
