package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.NetClosedException;
import io.dxnet.contract.Cluster;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.request.Requester;
import io.dxnet.runtime.send.Connections;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.Agent;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** While a thread makes the steps, other threads add to what there is to do. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PumpTest {
    private static final int STEPS_MAX = 10;
    /** Many times as many as one call may make, here and in {@link CarriedAccess}. */
    private static final int TASKS = 1000;

    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final Completions completions = new Completions("test-completer", (what, error) -> errors.add(what));
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private final Map<Thread, Integer> steps = new ConcurrentHashMap<>(); // that found something to do
    private final AtomicInteger added = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    @AfterEach
    void close() {
        other.shutdown();
        completions.close(TimeUnit.SECONDS.toNanos(30));
        assertThat(errors).isEmpty();
    }

    /** Counts a step; before it ends, another thread has added to what there is to do. */
    private void step(Runnable add) {
        steps.merge(Thread.currentThread(), 1, Integer::sum);
        if (added.get() < TASKS) {
            added.incrementAndGet();
            try {
                other.submit(add).get();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
        done.incrementAndGet();
    }

    /** {@return one that finds something to do as long as another thread adds to it} */
    private Pump feeding() {
        AtomicReference<Pump> pump = new AtomicReference<>();
        pump.set(new Pump(
                () -> {
                    if (done.get() == added.get()) {
                        return false;
                    }
                    step(() -> pump.get().run());
                    return true;
                },
                STEPS_MAX,
                completions));
        added.incrementAndGet();
        return pump.get();
    }

    private void awaitDone() {
        Cluster.await("all steps", () -> done.get() == TASKS);
    }

    @Test
    void shouldNotHoldItsCaller() {
        feeding().run();
        assertThat(steps.get(Thread.currentThread())).isEqualTo(STEPS_MAX);
        awaitDone();
    }

    /** What a handler's thread adds to the completions is otherwise completed by itself. */
    @Test
    void shouldNotHoldAHandler() throws InterruptedException {
        Pump pump = feeding();
        Completions.Backlog backlog = completions.backlog();
        CountDownLatch drained = new CountDownLatch(1);
        Agent agent = new Agent() {
            @Override
            public String role() {
                return "handler";
            }

            @Override
            public int doWork() {
                EngineThread own = EngineThread.current();
                own.completes(backlog);
                pump.run();
                completions.drain(backlog);
                own.completes(null);
                own.shutdown();
                drained.countDown();
                return 1;
            }

            @Override
            public void await(long timeoutNs) {}

            @Override
            public void wakeup() {}
        };
        IdleStrategies strategies = new IdleStrategies(DXNetConfig.builder().build());
        EngineThread handler = new EngineThread(
                "test-handler", agent, EngineThread.NONE, strategies, (what, error) -> errors.add(what));
        handler.start();
        assertThat(drained.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(steps.get(handler)).isEqualTo(STEPS_MAX);
        awaitDone();
        handler.join();
    }

    @Test
    void shouldContinueWhenAStepHasThrown() {
        AtomicInteger left = new AtomicInteger(3);
        Pump pump = new Pump(
                () -> {
                    if (left.get() == 3) {
                        left.decrementAndGet();
                        throw new OutOfMemoryError("of the test");
                    }
                    return left.get() > 0 && left.decrementAndGet() >= 0;
                },
                STEPS_MAX,
                completions);
        assertThatThrownBy(pump::run).isInstanceOf(OutOfMemoryError.class);
        Cluster.await("the other steps", () -> left.get() == 0);
    }

    /** A thread that posts one operation does not send all that others post meanwhile. */
    @Test
    void shouldNotHoldAThreadThatPosts() {
        AtomicReference<Runnable> post = new AtomicReference<>();
        Connections connections = Stub.of(Connections.class, Map.of("checkOpen", (Supplier<?>) () -> {
            step(post.get());
            throw new NetClosedException("the test sends nothing");
        }));
        IdleStrategies strategies = new IdleStrategies(DXNetConfig.builder().build());
        Requester requester = new Requester(
                new RequestMap(16, half -> {}), connections, null, pending -> false, strategies, completions);
        Failures failures = new Failures(0, "region");
        CarriedAccess access = new CarriedAccess(requester, new Route(0, 1, 8, failures), completions);
        Link link = new Link(access, 1, 1, 8, Set.of());
        long deadlineNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        post.set(() -> {
            Result result = new Result(failures);
            result.begin(1);
            access.post(new PostedOperation(
                    link,
                    Kind.FETCH_ADD,
                    0,
                    MemorySegment.NULL,
                    8,
                    1,
                    0,
                    false,
                    deadlineNs,
                    result,
                    -1,
                    (operation, outcome, cause, detail) -> errors.add(detail)));
        });
        added.incrementAndGet();
        post.get().run();
        assertThat(steps.get(Thread.currentThread())).isEqualTo(CarriedAccess.STEPS_MAX);
        awaitDone();
    }

    /** Steps that follow a call find what its thread has added; no two steps overlap. */
    @Test
    void shouldLoseNoCallOfManyThreads() throws Exception {
        int threads = 3;
        AtomicInteger waiting = new AtomicInteger();
        AtomicInteger running = new AtomicInteger();
        Pump pump = new Pump(
                () -> {
                    if (running.incrementAndGet() != 1) {
                        errors.add("two steps at once");
                    }
                    boolean found = waiting.get() > 0;
                    if (found) {
                        waiting.decrementAndGet();
                        done.incrementAndGet();
                    }
                    running.decrementAndGet();
                    return found;
                },
                2,
                completions);
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            callers.add(Thread.ofPlatform().start(() -> {
                for (int k = 1; k <= 20_000; k++) {
                    waiting.incrementAndGet();
                    pump.run();
                    if (k % 100 == 0) {
                        Cluster.await("what was added", () -> waiting.get() == 0);
                    }
                }
            }));
        }
        for (Thread each : callers) {
            each.join();
        }
        Cluster.await("all steps", () -> done.get() == threads * 20_000);
    }
}
