package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.contract.Cluster;
import io.dxnet.runtime.OnceFullFuture;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ResultTest {
    private static final int WAITS = 300_000;
    private static final int SPINS = 1_000;

    @Test
    void shouldCompleteAFutureThatHadNoMemory() {
        Completions completions = new Completions("test-completer", (what, error) -> {});
        CompletableFuture<long[]> future = new OnceFullFuture<>();
        Result result = new Result(new Failures(0, "region"), future, completions);
        result.begin(1);
        result.failed(new DXNetException("lost"));
        Cluster.await("the future", () -> {
            completions.tick();
            return future.isDone();
        });
        assertThatThrownBy(future::join).hasRootCauseMessage("lost");
        assertThat(result.mayRepeat()).isFalse();
    }

    /** An unpark of a virtual thread that has a permit only reads it: no fence of its own. */
    @Test
    @Timeout(60)
    void shouldWakeAVirtualThreadThatHasAPermit() throws InterruptedException {
        IdleStrategies strategies = new IdleStrategies(DXNetConfig.builder().build());
        AtomicReference<Result> posted = new AtomicReference<>();
        AtomicInteger waits = new AtomicInteger();
        Thread waiter = Thread.ofVirtual().start(() -> {
            for (int i = 0; i < WAITS; i++) {
                Result result = new Result(new Failures(0, "region"));
                result.begin(1);
                LockSupport.unpark(Thread.currentThread());
                posted.set(result);
                try {
                    result.await(strategies, System.nanoTime() + TimeUnit.HOURS.toNanos(1));
                } catch (DXNetException e) {
                    return;
                }
                waits.incrementAndGet();
            }
        });
        for (int i = 0; i < WAITS; i++) {
            Result result = posted.getAndSet(null);
            for (int spins = 1; result == null; spins++) {
                if (spins % SPINS == 0) {
                    assertThat(Thread.interrupted())
                            .as("time limit; wait %d", i)
                            .isFalse();
                    Thread.yield();
                }
                Thread.onSpinWait();
                result = posted.getAndSet(null);
            }
            for (int spins = i % 64; spins > 0; spins--) {
                Thread.onSpinWait();
            }
            result.done(-1, 0);
        }
        waiter.join();
        assertThat(waits).hasValue(WAITS);
    }
}
