package io.dxnet.runtime.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.idle.ThreadSignal;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which handler is woken for a message that any of them may handle. */
@Timeout(60)
class HeaderStoresTest {
    private static final int HANDLERS = 3;

    private final Buffers buffers = new Buffers();
    private final HeaderStores stores = new HeaderStores(4, HANDLERS);
    private final Thread[] handlers = new Thread[HANDLERS];
    private IncomingBuffer buffer;

    @BeforeEach
    void sleep() {
        buffer = buffers.ofLength(1);
        for (int i = 0; i < HANDLERS; i++) {
            ThreadSignal signal = new ThreadSignal(() -> false);
            stores.threadSignal(i, signal);
            handlers[i] = new Thread(() -> signal.park(TimeUnit.MINUTES.toNanos(1)));
            handlers[i].start();
            while (!signal.isParked()) {
                Thread.onSpinWait();
            }
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        for (int i = 0; i < HANDLERS; i++) {
            stores.wake(i);
            handlers[i].join();
        }
        buffers.close();
    }

    @Test
    void shouldPreferHandlersWithoutExclusiveMessages() throws InterruptedException {
        offerExclusive(0);
        offerExclusive(2);

        stores.wakeAny();

        handlers[1].join();
        assertThat(handlers[0].isAlive()).isTrue();
        assertThat(handlers[2].isAlive()).isTrue();
    }

    @Test
    void shouldWakeHandlersWithExclusiveMessagesWhereNoOtherSleeps() throws InterruptedException {
        for (int i = 0; i < HANDLERS; i++) {
            offerExclusive(i);
        }

        for (int i = 0; i < HANDLERS; i++) {
            stores.wakeAny();
        }

        for (Thread handler : handlers) {
            handler.join();
        }
    }

    private void offerExclusive(int handler) {
        assertThat(stores.exclusive(handler).offerRun(buffer, 0, 1, 0)).isTrue();
    }
}
