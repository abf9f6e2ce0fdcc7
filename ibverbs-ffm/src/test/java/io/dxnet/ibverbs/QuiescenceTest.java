package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rounds of synchronisation that several closing threads share. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QuiescenceTest {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final AtomicInteger rounds = new AtomicInteger();

    private Thread first() {
        return Thread.ofPlatform()
                .start(() -> Quiescence.busySlots(() -> {
                    begun.countDown();
                    await(mayEnd);
                }));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FutureTask<Object> blocked(Runnable synchronise) {
        FutureTask<Object> task = new FutureTask<>(() -> Quiescence.busySlots(synchronise));
        Thread thread = Thread.ofPlatform().start(task);
        while (thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        return task;
    }

    @Test
    @DisplayName("threads that come during a round share the next one")
    void shouldShareRound() throws Exception {
        Thread holder = first();
        begun.await();
        FutureTask<Object> one = blocked(rounds::incrementAndGet);
        FutureTask<Object> other = blocked(rounds::incrementAndGet);
        mayEnd.countDown();
        one.get();
        other.get();
        holder.join();
        assertThat(rounds.get()).isEqualTo(1);
    }

    @Test
    @DisplayName("a round that fails counts for none of the threads that wanted to share it")
    void shouldNotShareFailedRound() throws Exception {
        Runnable failsOnce = () -> {
            if (rounds.incrementAndGet() == 1) {
                throw new OutOfMemoryError("the first round fails");
            }
        };
        Thread holder = first();
        begun.await();
        FutureTask<Object> one = blocked(failsOnce);
        FutureTask<Object> other = blocked(failsOnce);
        mayEnd.countDown();
        holder.join();
        int failed = 0;
        for (FutureTask<Object> task : List.of(one, other)) {
            try {
                task.get();
            } catch (ExecutionException e) {
                assertThat(e).hasRootCauseMessage("the first round fails");
                failed++;
            }
        }
        assertThat(failed).isEqualTo(1);
        assertThat(rounds.get()).as("the other made a round of its own").isEqualTo(2);
    }

    @Test
    @DisplayName("a round that fails is begun anew by the next close")
    void shouldBeginAnewAfterFailure() {
        assertThatThrownBy(() -> Quiescence.busySlots(() -> {
                    throw new OutOfMemoryError("no memory");
                }))
                .isInstanceOf(OutOfMemoryError.class);
        Quiescence.busySlots(rounds::incrementAndGet);
        assertThat(rounds.get()).isEqualTo(1);
    }
}
