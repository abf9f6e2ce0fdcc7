package io.dxnet.transport.idle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for a condition. */
@Timeout(60)
class BoundedWaitTest {
    private static final long LONG_NS = 50_000_000_000L;

    @Test
    void shouldCheckOnceWithoutTime() {
        AtomicInteger checks = new AtomicInteger();
        assertThat(BoundedWait.until(() -> checks.incrementAndGet() > 1, 0)).isFalse();
        assertThat(checks).hasValue(1);
        assertThat(BoundedWait.until(() -> true, 0)).isTrue();
    }

    @Test
    void shouldWaitUntilItHolds() {
        AtomicInteger checks = new AtomicInteger();
        assertThat(BoundedWait.until(() -> checks.incrementAndGet() == 5, LONG_NS))
                .isTrue();
        assertThat(checks).hasValue(5);
    }

    @Test
    void shouldEndWhenTheTimeIsOver() {
        assertThat(BoundedWait.until(() -> false, 1_000_000)).isFalse();
    }

    @Test
    void shouldGoOnAfterAnInterruptAndKeepTheFlag() {
        AtomicInteger checks = new AtomicInteger();
        Thread.currentThread().interrupt();
        boolean holds = BoundedWait.until(() -> checks.incrementAndGet() == 5, LONG_NS);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(holds).isTrue();
    }
}
