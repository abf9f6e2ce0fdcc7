package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ConnectorsTest {
    private static final int THREADS_MAX = 16;
    private static final int MORE_THAN_THREADS = 40;
    private static final int SILENT = 400;

    private final Connectors connectors = new Connectors("connect", THREADS_MAX);

    @AfterEach
    void close() {
        connectors.close();
    }

    @Test
    void shouldUseAnIdleThreadBeforeItMakesAnother() throws Exception {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            CountDownLatch done = new CountDownLatch(1);
            connectors.execute(() -> {
                threads.add(Thread.currentThread());
                done.countDown();
            });
            done.await();
            while (!connectors.hasIdle()) {
                Thread.onSpinWait();
            }
        }
        assertThat(threads).hasSize(1);
    }

    @Test
    void shouldQueueWhatComesWhileAllThreadsWait() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch all = new CountDownLatch(MORE_THAN_THREADS);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < MORE_THAN_THREADS; i++) {
            connectors.execute(() -> {
                threads.add(Thread.currentThread());
                try {
                    go.await();
                    all.countDown();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        go.countDown();
        all.await();
        assertThat(threads).hasSizeBetween(2, MORE_THAN_THREADS - 1);
    }

    /** Nodes that accept and stay silent hold up no attempt to a good one. */
    @Test
    void shouldRunOneMoreWhileHundredsWait() throws Exception {
        Connectors own = new Connectors("connect");
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch good = new CountDownLatch(1);
        try {
            for (int i = 0; i < SILENT; i++) {
                own.execute(() -> {
                    try {
                        go.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
            }
            own.execute(good::countDown);
            good.await();
        } finally {
            go.countDown();
            own.close();
        }
    }

    @Test
    void shouldInterruptAndRefuseWhenClosed() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        connectors.execute(() -> {
            running.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        running.await();
        connectors.close();
        interrupted.await();
        assertThatThrownBy(() -> connectors.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }
}
