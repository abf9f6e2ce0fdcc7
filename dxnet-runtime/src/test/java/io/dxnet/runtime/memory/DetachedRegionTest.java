package io.dxnet.runtime.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.memory.Batch;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.request.Requester;
import io.dxnet.runtime.send.Connections;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One thread detaches a region while others wait for operations that messages carry: they fail, and
 * local memory is not accessed after that.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class DetachedRegionTest {
    private static final int BYTES = 64 << 10;
    private static final int ROUNDS = 300;
    private static final byte SHARED = 1; // what the owner's memory has
    private static final byte LOCAL = 2; // what is written
    private static final byte CANARY = 3; // local memory, after the region was closed

    /** An operation that a thread waits for. */
    private interface Operation {
        void run() throws DXNetException;
    }

    private final MemorySegment shared = Arena.ofAuto().allocate(BYTES, 8);
    private final MemorySegment local = Arena.ofAuto().allocate(BYTES, 8);
    private final CountDownLatch released = new CountDownLatch(1);
    private Cluster cluster;
    private SharedRegion owned;

    @BeforeEach
    void start() throws DXNetException {
        cluster = new Cluster(
                List.of(new NodeMap(0), new NodeMap(1)),
                builder -> builder.transport("loopback")
                        .clusterName("detached-" + System.identityHashCode(this))
                        .handlers(1)
                        .requestTimeoutMs(60_000));
        shared.fill(SHARED);
        local.fill(LOCAL);
        owned = cluster.node(0).remoteMemory().share("region", shared, EnumSet.allOf(Right.class), Peers.all());
    }

    @AfterEach
    void close() {
        released.countDown();
        cluster.close();
        assertThat(cluster.failures).isEmpty();
    }

    private RemoteRegion attach() throws DXNetException {
        return cluster.node(1).remoteMemory().attach(0, "region");
    }

    private static FutureTask<Void> start(Operation operation) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            operation.run();
            return null;
        });
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private static void assertDetached(FutureTask<Void> task) throws InterruptedException, TimeoutException {
        try {
            task.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            assertThat(e.getCause())
                    .isInstanceOf(RemoteMemoryException.OwnerGone.class)
                    .hasMessageContaining("detached");
            return;
        }
        throw new AssertionError("it succeeded");
    }

    private static void assertAllDetached(List<FutureTask<Void>> tasks) throws InterruptedException, TimeoutException {
        for (FutureTask<Void> each : tasks) {
            assertDetached(each);
        }
    }

    /** All that was sent before is handled when this returns, and its answers are. */
    private void awaitAnswers() throws DXNetException {
        cluster.node(1).sendSync(new Ping(0, "after it", 0), Cluster.seconds(60));
    }

    private static void assertFilled(MemorySegment segment, byte with) {
        assertThat(segment.mismatch(Arena.ofAuto().allocate(segment.byteSize()).fill(with)))
                .as("the first byte that is not %d", with)
                .isEqualTo(-1);
    }

    // ---------------------------------------------------------------- a request that was sent

    /** {@return an operation of another thread: the owner answers once it is released} */
    private FutureTask<Void> startUnanswered(RemoteRegion region, Operation operation) throws DXNetException {
        owned.onNotify((from, offset, length, value) -> awaitRelease());
        region.writeAndNotify(0, MemorySegment.ofArray(new byte[] {SHARED}), 1); // the owner's one handler is busy
        FutureTask<Void> task = start(operation);
        Cluster.await("the request", () -> cluster.node(1).statistics().requestsOutstanding() == 1);
        return task;
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldEndTheOperationsThatOtherThreadsWaitFor() throws Exception {
        RemoteRegion region = attach();
        FutureTask<Void> read = startUnanswered(region, () -> region.read(0, local));
        FutureTask<Void> add = start(() -> region.fetchAdd(0, 1));
        CompletableFuture<Void> later = region.readAsync(0, local);
        region.close();
        assertDetached(read);
        assertDetached(add);
        Cluster.await("the end of the asynchronous one", later::isDone);
        assertThat(later.exceptionNow()).isInstanceOf(RemoteMemoryException.OwnerGone.class);
        Cluster.await(
                "the end of the requests", () -> cluster.node(1).statistics().requestsOutstanding() == 0);
    }

    @Test
    void shouldNotWriteALateAnswerToLocalMemory() throws Exception {
        RemoteRegion region = attach();
        FutureTask<Void> read = startUnanswered(region, () -> region.read(0, local));
        region.close();
        local.fill(CANARY);
        released.countDown();
        Cluster.await("its end", read::isDone);
        awaitAnswers();
        assertFilled(local, CANARY);
        assertDetached(read);
    }

    /** Else it would be carried out after it was reported as not done. */
    @Test
    void shouldBeginWithAnEmptyChainAfterOneThatCouldNotBePosted() throws Exception {
        RemoteRegion region = attach();
        try (Batch executed = region.batch();
                Batch posted = region.batch()) {
            executed.fetchAdd(0, 1);
            posted.fetchAdd(0, 1).fence();
            region.close();
            assertThatExceptionOfType(RemoteMemoryException.OwnerGone.class).isThrownBy(executed::execute);
            CompletableFuture<long[]> future = posted.post();
            Cluster.await("the failure", future::isDone);
            assertThat(future.exceptionNow()).isInstanceOf(RemoteMemoryException.OwnerGone.class);
            assertThat(executed.execute()).isEmpty();
            assertThat(posted.execute()).isEmpty();
        }
    }

    // ---------------------------------------------------------------- a request that was not sent yet

    /** {@return connections that run a task whenever a request is about to be sent} */
    private static Connections before(Connections connections, Runnable task) {
        return (Connections) Proxy.newProxyInstance(
                Connections.class.getClassLoader(), new Class<?>[] {Connections.class}, (self, method, arguments) -> {
                    if (method.getName().equals("checkOpen")) {
                        task.run();
                    }
                    return method.invoke(connections, arguments);
                });
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "WRITE", "FETCH_ADD"})
    void shouldNotSendAnOperationThatHasEnded(Kind kind) throws Exception {
        AttachedRegion region = (AttachedRegion) attach();
        Services services = region.service().services();
        List<CarriedAccess> accesses = new ArrayList<>();
        Requester requester = new Requester(
                new RequestMap(16, half -> {}),
                before(services.connections(), () -> {
                    accesses.getFirst().close();
                    local.fill(CANARY);
                }),
                services.sender(),
                pending -> false,
                services.strategies(),
                services.completions());
        CarriedAccess access = new CarriedAccess(
                requester, new Route(0, region.attachment(), BYTES, region.failures()), services.completions());
        accesses.add(access);
        Result result = new Result(region.failures());
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
        MemorySegment of = kind == Kind.FETCH_ADD ? MemorySegment.NULL : local;
        PostedOperation operation = new PostedOperation(
                region.link(), kind, 0, of, of.byteSize(), 1, 0, false, deadlineNs, result, -1, region);
        result.begin(1);
        access.postAndPoll(result, operation);
        awaitAnswers();
        assertFilled(shared, SHARED);
        assertFilled(local, CANARY);
        assertThatExceptionOfType(RemoteMemoryException.OwnerGone.class)
                .isThrownBy(() -> result.await(services.strategies(), deadlineNs))
                .satisfies(
                        e -> assertThat(e.outcome()).isEqualTo(kind == Kind.READ ? Outcome.NOT_DONE : Outcome.UNKNOWN));
    }

    // ---------------------------------------------------------------- many schedules

    /** Threads that begin one operation after the other while the region is closed. */
    private List<FutureTask<Void>> startMany(RemoteRegion region, Operation operation, CountDownLatch begun) {
        List<FutureTask<Void>> tasks = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            tasks.add(start(() -> {
                for (; ; ) {
                    operation.run();
                    begun.countDown();
                }
            }));
        }
        return tasks;
    }

    /** {@return the threads, whose operations have ended} */
    private List<FutureTask<Void>> detachWhile(RemoteRegion region, Operation operation, int round) throws Exception {
        CountDownLatch begun = new CountDownLatch(2 + round % 5);
        List<FutureTask<Void>> tasks = startMany(region, operation, begun);
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        region.close();
        local.fill(CANARY);
        Cluster.await("the end of the threads", () -> tasks.stream().allMatch(FutureTask::isDone));
        awaitAnswers();
        return tasks;
    }

    @Test
    void shouldNotWriteToLocalMemoryOfReadsOnceItIsClosed() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            RemoteRegion region = attach();
            List<FutureTask<Void>> tasks = detachWhile(region, () -> region.read(0, local), i);
            assertFilled(local, CANARY);
            assertAllDetached(tasks);
        }
    }

    @Test
    void shouldNotReadLocalMemoryOfWritesOnceItIsClosed() throws Exception {
        for (int i = 0; i < ROUNDS; i++) {
            local.fill(LOCAL);
            RemoteRegion region = attach();
            List<FutureTask<Void>> tasks = detachWhile(region, () -> region.write(0, local), i);
            assertFilled(shared, LOCAL);
            assertAllDetached(tasks);
        }
    }

    /** Of an operation of several pieces, which ends once. */
    @Test
    void shouldNotWriteToLocalMemoryOfALargeReadOnceItHasEnded() throws Exception {
        int bytes = 4 << 20;
        MemorySegment large = Arena.ofAuto().allocate(bytes, 8).fill(SHARED);
        try (SharedRegion _ =
                cluster.node(0).remoteMemory().share("large", large, EnumSet.of(Right.READ), Peers.all())) {
            for (int i = 0; i < ROUNDS; i++) {
                RemoteRegion region = cluster.node(1).remoteMemory().attach(0, "large");
                CountDownLatch begun = new CountDownLatch(1 + i % 3);
                FutureTask<Void> reads = start(() -> {
                    MemorySegment target = Arena.ofAuto().allocate(bytes, 8);
                    try {
                        for (; ; ) {
                            region.read(0, target);
                            begun.countDown();
                        }
                    } catch (RemoteMemoryException.OwnerGone e) {
                        target.fill(CANARY);
                        awaitAnswers();
                        assertFilled(target, CANARY);
                        throw e;
                    }
                });
                assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
                region.close();
                assertDetached(reads);
            }
        }
    }

    /** They are the application's: an operation on remote memory is not one. */
    @Test
    void shouldNotBeCancelledWithTheRequestsToItsOwner() throws Exception {
        RemoteRegion region = attach();
        FutureTask<Void> read = startUnanswered(region, () -> region.read(0, local));
        CompletableFuture<Long> later = region.fetchAddAsync(8, 1);
        Cluster.await("the other request", () -> cluster.node(1).statistics().requestsOutstanding() == 2);
        assertThat(cluster.node(1).cancelRequests(0)).isZero();
        released.countDown();
        read.get(30, TimeUnit.SECONDS);
        later.get(30, TimeUnit.SECONDS);
        assertFilled(local, SHARED);
    }
}
