package io.dxnet.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ChannelsTest {
    /** What the thread uses is freed afterwards: an interrupt must not end the wait. */
    @Test
    void shouldAwaitTheEndOfAThreadWhenInterrupted() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Thread selecting = Thread.ofPlatform().daemon().start(() -> awaitQuietly(asked));
        Thread closing = Thread.ofPlatform().daemon().unstarted(() -> {
            Thread.currentThread().interrupt();
            assertThat(Channels.awaitEnd(selecting)).isTrue();
            assertThat(selecting.isAlive()).isFalse();
        });
        Throwable[] failure = new Throwable[1];
        closing.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
        closing.start();
        while (closing.getState() != Thread.State.TIMED_WAITING && closing.isAlive()) {
            LockSupport.parkNanos(100_000);
        }
        asked.countDown();
        closing.join();
        assertThat(failure[0]).isNull();
    }

    @Test
    void shouldNotAwaitAThreadThatNeverRan() {
        assertThat(Channels.awaitEnd(Thread.ofPlatform().unstarted(() -> {}))).isFalse();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Else the failure would be lost. */
    @Test
    void shouldDescribeAFailureWhereThereIsNoMemoryForItsReason() {
        IOException withoutText = new IOException() {
            private static final long serialVersionUID = 1L;

            @Override
            public String getMessage() {
                throw new OutOfMemoryError("of the text");
            }
        };
        assertThat(Channels.failed("writing failed", new IOException("reset"))).isEqualTo("writing failed: reset");
        assertThat(Channels.failed("writing failed", withoutText)).startsWith("writing failed");
        assertThat(Channels.reason(withoutText)).isNotBlank();
    }
}
