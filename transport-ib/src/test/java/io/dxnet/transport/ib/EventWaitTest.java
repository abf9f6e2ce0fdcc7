package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ParkingStrategy;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.Context;
import io.dxnet.ibverbs.Device;
import io.dxnet.transport.BusyPhase;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Waiting and waking up: whatever the two threads are at, no work is slept over. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class EventWaitTest {
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

    /** Work is a number that grows. */
    private static final class Counter implements EventWait.Work {
        final AtomicInteger posted = new AtomicInteger();
        volatile int done;

        @Override
        public boolean hasWork() {
            return posted.get() != done;
        }

        @Override
        public void arm() {}

        @Override
        public void fired(CompletionQueue queue) {}
    }

    private static EventWait wait(Context context, int busyUs, int yieldUs) {
        return new EventWait(
                context.createCompletionChannel(), BusyPhase.of(ParkingStrategy.ADAPTIVE, busyUs, yieldUs));
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "20, 0", "0, 20", "5, 5"})
    void shouldNeverSleepOverWork(int busyUs, int yieldUs) throws Exception {
        try (Context context = Device.named(IbNodes.DEVICE).open()) {
            EventWait wait = wait(context, busyUs, yieldUs);
            Counter work = new Counter();
            int rounds = 20_000;
            Thread agent = Thread.ofPlatform().start(() -> {
                while (work.done < rounds) {
                    int posted = work.posted.get();
                    if (posted != work.done) {
                        work.done = posted;
                        wait.worked();
                    } else {
                        wait.await(work, LONG_NS);
                    }
                }
            });
            long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
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
    }

    @Test
    void shouldNotWaitAfterAWakeUpThatCameBefore() {
        try (Context context = Device.named(IbNodes.DEVICE).open()) {
            EventWait wait = wait(context, 0, 0);
            wait.wakeup();
            long startNs = System.nanoTime();
            wait.await(new Counter(), LONG_NS);
            assertThat(System.nanoTime() - startNs).isLessThan(LONG_NS / 2);
        }
    }

    @Test
    void shouldReturnWhenTheTimeIsUp() {
        try (Context context = Device.named(IbNodes.DEVICE).open()) {
            EventWait wait = wait(context, 1, 1);
            for (long ns : new long[] {0, -1, 1000, 500_000, 5_000_000}) {
                long startNs = System.nanoTime();
                wait.await(new Counter(), ns);
                assertThat(System.nanoTime() - startNs).isLessThan(LONG_NS / 2);
            }
        }
    }
}
