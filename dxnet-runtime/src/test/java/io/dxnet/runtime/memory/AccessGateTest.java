package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No access is under way when a closed gate is empty. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AccessGateTest {
    @Test
    void shouldWaitForThoseInside() {
        AccessGate gate = new AccessGate();
        assertThat(gate.enter()).isTrue();
        assertThat(gate.close()).isTrue();
        assertThat(gate.close()).isFalse();
        assertThat(gate.isClosed()).isTrue();
        assertThat(gate.enter()).isFalse();
        assertThat(gate.awaitEmpty(1)).isFalse();
        gate.exit();
        assertThat(gate.awaitEmpty(1_000_000_000)).isTrue();
    }

    @Test
    void shouldKeepAnInterrupt() {
        AccessGate gate = new AccessGate();
        gate.close();
        gate.enter();
        Thread.currentThread().interrupt();
        assertThat(gate.awaitEmpty(1_000_000_000)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void shouldHaveNoAccessAfterItIsEmpty() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            AccessGate gate = new AccessGate();
            AtomicInteger inside = new AtomicInteger();
            CountDownLatch begun = new CountDownLatch(2);
            Thread[] threads = new Thread[2];
            for (int i = 0; i < threads.length; i++) {
                threads[i] = Thread.ofPlatform().start(() -> {
                    begun.countDown();
                    while (gate.enter()) {
                        inside.incrementAndGet();
                        inside.decrementAndGet();
                        gate.exit();
                    }
                });
            }
            begun.await();
            gate.close();
            assertThat(gate.awaitEmpty(10_000_000_000L)).isTrue();
            assertThat(inside.get()).isZero();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
