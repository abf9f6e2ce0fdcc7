package io.dxnet.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Every transition of the send lock's word. */
class SendLockTest {
    private final SendLock lock = new SendLock();

    private void assertState(boolean held, boolean sealed) {
        assertThat(lock.isHeld()).as("held").isEqualTo(held);
        assertThat(lock.isSealed()).as("sealed").isEqualTo(sealed);
    }

    @Test
    void shouldBeFreeAtFirst() {
        assertState(false, false);
    }

    @Test
    void shouldBeHeldByOneAndAcquiredAgainAfterItsRelease() {
        assertThat(lock.tryAcquire()).isTrue();
        assertState(true, false);
        assertThat(lock.tryAcquire()).isFalse();
        assertThat(lock.release()).isFalse();
        assertState(false, false);
        assertThat(lock.tryAcquire()).isTrue();
    }

    @Test
    void shouldReportTheEndOnceWhenItIsSealedFree() {
        assertThat(lock.seal()).isTrue();
        assertState(false, true);
        assertThat(lock.seal()).isFalse();
        assertThat(lock.tryAcquire()).isFalse();
        lock.awaitRelease(); // returns at once
    }

    @Test
    void shouldReportTheEndByTheHolderWhenItIsSealedHeld() {
        assertThat(lock.tryAcquire()).isTrue();
        assertThat(lock.seal()).isFalse();
        assertState(true, true);
        assertThat(lock.seal()).isFalse();
        assertThat(lock.tryAcquire()).isFalse();
        assertThat(lock.release()).isTrue();
        assertState(false, true);
        assertThat(lock.seal()).isFalse();
        assertThat(lock.tryAcquire()).isFalse();
    }

    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldWaitForTheHolder() throws Exception {
        assertThat(lock.tryAcquire()).isTrue();
        AtomicInteger step = new AtomicInteger();
        Thread sealing = Thread.ofPlatform().start(() -> {
            lock.seal();
            step.set(1);
            lock.awaitRelease();
            step.compareAndSet(2, 3);
        });
        while (step.get() == 0) {
            Thread.yield();
        }
        step.set(2);
        assertThat(lock.release()).isTrue();
        sealing.join();
        assertThat(step).as("it returned after the release").hasValue(3);
    }

    /**
     * What the holders count is not counted by two of them at once, and
     * exactly one call reports the end.
     */
    @Test
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void shouldExcludeManyThreadsAndReportTheEndOnce() throws Exception {
        int[] count = new int[1]; // the holder
        AtomicInteger acquired = new AtomicInteger();
        AtomicInteger ends = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                while (!lock.isSealed()) {
                    if (lock.tryAcquire()) {
                        acquired.incrementAndGet();
                        count[0]++;
                        if (lock.release()) {
                            ends.incrementAndGet();
                        }
                    }
                }
            }));
        }
        while (acquired.get() < 100_000) {
            Thread.yield();
        }
        if (lock.seal()) {
            ends.incrementAndGet();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(count[0]).isEqualTo(acquired.get());
        assertThat(ends).hasValue(1);
    }
}
