package io.dxnet.tools.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** That a pinned thread would be seen. */
class PinnedThreadsTest {
    private static final long PARK_NS = 1_000_000;

    /** Below a class's initialization there is a native frame of the JVM, on each JDK. */
    private static final class Parking {
        static int ran;

        static {
            LockSupport.parkNanos(PARK_NS);
            ran = 1;
        }
    }

    @Test
    void shouldCountAThreadThatWaitsInANativeFrame() throws Exception {
        PinnedThreads pinned = new PinnedThreads();
        int ran = pinned.during(() -> {
            Thread.ofVirtual().start(() -> Parking.ran++).join();
            return Parking.ran;
        });
        assertThat(ran).isEqualTo(2);
        assertThat(pinned.count()).isPositive();
        assertThat(pinned.first()).contains("PinnedThreadsTest");
    }

    @Test
    void shouldNotCountAThreadThatLeavesItsCarrier() throws Exception {
        PinnedThreads pinned = new PinnedThreads();
        pinned.during(() -> {
            Thread.ofVirtual().start(() -> LockSupport.parkNanos(PARK_NS)).join();
            return null;
        });
        assertThat(pinned.count()).isZero();
        assertThat(pinned.first()).isNull();
    }
}
