package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.contract.Cluster;
import io.dxnet.runtime.OnceFullFuture;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.runtime.thread.ResponseFuture;
import io.dxnet.transport.Agent;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
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

    /** An access on which the calling thread processes completions. */
    private record Polled(Consumer<Pending> polling) implements MemoryAccess {
        @Override
        public byte[] request() {
            return new byte[0];
        }

        @Override
        public void open(byte[] reply) {}

        @Override
        public void post(MemoryOperation... operations) {}

        @Override
        public void poll(Pending pending) {
            polling.accept(pending);
        }

        @Override
        public void close() {}
    }

    private static MemoryAccess access(Consumer<MemoryAccess.Pending> polling) {
        return new Polled(polling);
    }

    private static void failed(String what, Throwable error) {
        throw new AssertionError(what, error);
    }

    @Test
    void shouldCompleteTheFutureOnTheThreadThatProcessedItsEnd() {
        Completions completions = new Completions("test-completer", ResultTest::failed);
        CompletableFuture<long[]> future = new CompletableFuture<>();
        Result result = new Result(new Failures(0, "region"), future, completions);
        result.begin(2);
        result.help(
                access(pending -> {
                    result.done(-1, 0);
                    assertThat(pending.isDone()).isFalse();
                    result.done(-1, 0);
                    assertThat(pending.isDone()).isTrue();
                }),
                () -> false);
        assertThat(future).isCompleted();
    }

    @Test
    void shouldCompleteAFutureThatHadNoMemoryWhereItWasWaitedFor() {
        Completions completions = new Completions("test-completer", (what, error) -> {});
        CompletableFuture<long[]> future = new OnceFullFuture<>();
        Result result = new Result(new Failures(0, "region"), future, completions);
        result.begin(1);
        MemoryAccess access = access(pending -> result.failed(new DXNetException("lost")));
        assertThatThrownBy(() -> result.help(access, () -> false)).isInstanceOf(OutOfMemoryError.class);
        Cluster.await("the future", () -> {
            completions.tick();
            return future.isDone();
        });
        assertThatThrownBy(future::join).hasRootCauseMessage("lost");
    }

    /** A callback that waits has other work: messages, and its node's sends. */
    @Test
    @Timeout(60)
    void shouldPollForAShortTimeOnAThreadWithOtherWork() throws Exception {
        IdleStrategies strategies = new IdleStrategies(DXNetConfig.builder().build());
        AtomicReference<Result> awaited = new AtomicReference<>();
        CompletableFuture<Boolean> isOver = new CompletableFuture<>();
        Agent callback = Stub.of(Agent.class, Map.of("doWork", (Supplier<?>) () -> {
            Result result = new Result(new Failures(0, "region"));
            result.begin(1);
            MemoryAccess.Pending polled = result.polled();
            while (!polled.isDone()) {
                Thread.onSpinWait();
            }
            assertThat(result.isAwaited()).as("this thread polls no more").isTrue();
            awaited.set(result);
            try {
                isOver.complete(result.await(strategies, System.nanoTime() + TimeUnit.HOURS.toNanos(1)).length == 0);
            } catch (DXNetException e) {
                isOver.completeExceptionally(e);
            }
            return 0;
        }));
        EngineThread.Progress ends = () -> {
            Result result = awaited.getAndSet(null);
            if (result != null) {
                result.done(-1, 0);
            }
            return 0;
        };
        EngineThread thread = new EngineThread("test-callback", callback, ends, strategies, ResultTest::failed);
        thread.start();
        assertThat(isOver.get()).isTrue();
        thread.shutdown();
        thread.join();
    }

    @Test
    void shouldBeAwaitedByThreadsThatHaveNotPostedItAndByDependents() throws Exception {
        Completions completions = new Completions("test-completer", ResultTest::failed);
        CompletableFuture<long[]> future = new CompletableFuture<>();
        Result posted = new Result(new Failures(0, "region"), future, completions);
        Result waitedFor = new Result(new Failures(0, "region"));
        List<Boolean> ofAnother = new ArrayList<>();
        Thread other = Thread.ofPlatform().start(() -> {
            ofAnother.add(posted.isAwaited());
            ofAnother.add(waitedFor.isAwaited());
        });
        other.join();
        assertThat(ofAnother).containsExactly(true, true);
        assertThat(waitedFor.isAwaited()).isFalse();
        assertThat(posted.isAwaited()).isFalse();
        future.thenRun(() -> {});
        assertThat(posted.isAwaited()).isTrue();
    }

    /** It may block. */
    @Test
    void shouldNotRunDependentsOnTheThreadThatProcessedItsEnd() {
        Completions completions = new Completions("test-completer", ResultTest::failed);
        CompletableFuture<long[]> future = new CompletableFuture<>();
        CompletableFuture<Thread> ran = future.thenApply(nothing -> Thread.currentThread());
        Result result = new Result(new Failures(0, "region"), future, completions);
        result.begin(1);
        assertThat(result.isAwaited()).isTrue();
        result.help(access(pending -> result.done(-1, 0)), () -> false);
        assertThat(ran.orTimeout(60, TimeUnit.SECONDS).join()).isNotSameAs(Thread.currentThread());
    }

    @Test
    void shouldStopProcessingWhenTheWaitIsOver() {
        Completions completions = new Completions("test-completer", ResultTest::failed);
        Result result = new Result(new Failures(0, "region"), new CompletableFuture<>(), completions);
        result.begin(1);
        result.help(access(pending -> assertThat(pending.isDone()).isTrue()), () -> true);
        assertThat(result.isDone()).isFalse();
        assertThat(result.isAwaited()).isFalse();
    }

    /** Either thread may end the last operation, or begin to help too late. */
    @Test
    @Timeout(60)
    void shouldCompleteTheFutureWhoeverEndsItsLastOperation() throws Exception {
        Completions completions = new Completions("test-completer", ResultTest::failed);
        for (int i = 0; i < WAITS / 30; i++) {
            ResponseFuture<long[]> future = new ResponseFuture<>();
            Result result = new Result(new Failures(0, "region"), future, completions);
            result.begin(2);
            MemoryAccess access = access(pending -> result.done(-1, 0));
            future.help(isOver -> result.help(access, isOver));
            Thread other = Thread.ofPlatform().start(() -> result.done(-1, 0));
            future.get();
            other.join();
        }
        completions.close(1_000_000_000);
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
