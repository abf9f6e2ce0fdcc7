package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteMemoryException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.memory.SharedRegion;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.TransportProvider;
import io.dxnet.transport.loopback.LoopbackTransportProvider;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Remote memory on a transport whose hardware accesses memory of other nodes by itself. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class OneSidedMemoryTest {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();
    private static final int BYTES = 1 << 20;

    private final String cluster = "one-sided-" + CLUSTERS.incrementAndGet();
    private final List<MessagingEngine> engines = new ArrayList<>();
    private final List<FakeOneSidedMemory> devices = new ArrayList<>();
    private final List<Deque<Connection>> used = List.of(new ConcurrentLinkedDeque<>(), new ConcurrentLinkedDeque<>());
    private final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final Arena arena = Arena.ofAuto();
    private final MemorySegment shared = arena.allocate(BYTES, 8);
    private SharedRegion owned;

    /** The loopback transport with such hardware. */
    private record Provider(FakeOneSidedMemory device, Deque<Connection> used) implements TransportProvider {
        @Override
        public String name() {
            return "loopback";
        }

        @Override
        public int preference() {
            return -1;
        }

        @Override
        public Optional<String> unavailabilityCause(DXNetConfig config) {
            return Optional.empty();
        }

        @Override
        public Transport create(TransportContext context) {
            Transport loopback = new LoopbackTransportProvider().create(context);
            return (Transport) Proxy.newProxyInstance(
                    Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (proxy, method, args) -> {
                        if (args != null && args.length > 0 && args[0] instanceof Connection connection) {
                            used.add(connection);
                        }
                        try {
                            return method.getName().equals("oneSidedMemory") ? device : method.invoke(loopback, args);
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    });
        }
    }

    @BeforeEach
    void start() throws DXNetException {
        for (int node = 0; node < 2; node++) {
            FakeOneSidedMemory device = new FakeOneSidedMemory();
            DXNetConfig config = DXNetConfig.builder()
                    .transport("loopback")
                    .clusterName(cluster)
                    .requestTimeoutMs(60_000)
                    .errorHandler((what, error) -> errors.add(what))
                    .build();
            MessagingEngine engine =
                    new MessagingEngine(config, new NodeMap(node), new Provider(device, used.get(node)), "loopback");
            engine.start(true);
            engines.add(engine);
            devices.add(device);
        }
        owned = engines.get(0).remoteMemory().share("region", shared, EnumSet.allOf(Right.class), Peers.all());
    }

    @AfterEach
    void close() {
        engines.forEach(MessagingEngine::close);
        assertThat(devices).allMatch(device -> device.isClosed || device.prepared.get() == 0);
        assertThat(FakeOneSidedMemory.grants()).isZero();
    }

    private RemoteRegion attach() throws DXNetException {
        return engines.get(1).remoteMemory().attach(0, "region");
    }

    @Test
    void shouldPostEveryOperationToTheDevice() throws DXNetException {
        Queue<Integer> notified = new ConcurrentLinkedQueue<>();
        owned.onNotify((from, offset, length, value) -> notified.add(value));
        RemoteRegion region = attach();
        assertThat(region.isOneSided()).isTrue();
        MemorySegment source = arena.allocate(BYTES).fill((byte) 4);
        region.write(0, source);
        MemorySegment back = arena.allocate(BYTES);
        region.readAsync(0, back).join();
        assertThat(back.mismatch(source)).isEqualTo(-1);
        byte[] heap = new byte[100];
        region.read(7, MemorySegment.ofArray(heap));
        assertThat(heap).containsOnly(4);
        byte[] later = new byte[100];
        region.readAsync(7, MemorySegment.ofArray(later)).join();
        assertThat(later).containsOnly(4);
        region.write(0, arena.allocate(8));
        assertThat(region.fetchAdd(0, 5)).isZero();
        assertThat(region.compareAndSwap(0, 5, 9)).isEqualTo(5);
        assertThat(region.batch().fetchAdd(0, 1).fence().fetchAdd(0, 1).execute())
                .containsExactly(9, 10);
        int before = devices.get(1).posted.get();
        for (int i = 0; i < 100; i++) {
            region.writeAndNotify(64, arena.allocate(8), i);
        }
        assertThat(devices.get(1).posted.get()).isEqualTo(before + 200);
        Cluster.await("notifications", () -> notified.size() == 100);
        assertThat(new ArrayList<>(notified)).isSorted();
        assertThat(errors).isEmpty();
    }

    @Test
    void shouldAskTheOwnerWhyTheDeviceRefuses() throws DXNetException {
        RemoteRegion region = attach();
        RemoteRegion other = attach();
        region.write(0, arena.allocate(8));
        owned.close();
        MemorySegment local = arena.allocate(8).fill((byte) 1);
        for (RemoteRegion each : List.of(region, other)) {
            assertThatThrownBy(() -> each.write(0, local))
                    .isInstanceOfSatisfying(
                            RemoteMemoryException.RegionRevoked.class,
                            e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_DONE));
            assertThatThrownBy(() -> each.read(0, local)).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
        }
        assertThat(shared.get(ValueLayout.JAVA_BYTE, 0)).isZero();
    }

    /** Its device gets no answer from the owner any more, and would retry for long. */
    @Test
    void shouldEndWhatIsInFlightWhenTheRegionIsRevoked() throws DXNetException {
        RemoteRegion region = attach();
        devices.get(1).isSilent = true;
        CompletableFuture<Long> flying = region.fetchAddAsync(0, 1);
        owned.close();
        Cluster.await("the end of the operation", flying::isDone);
        assertThat(flying.exceptionNow())
                .isInstanceOfSatisfying(
                        RemoteMemoryException.RegionRevoked.class,
                        e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
    }

    /** One after the other, a peer that is stopped would keep the memory open to the others. */
    @Test
    void shouldCloseTheMemoryToAllPeersAtOnce() throws DXNetException {
        List<RemoteRegion> attached = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            attached.add(attach());
        }
        int before = FakeOneSidedMemory.closedAlone();
        owned.close();
        assertThat(FakeOneSidedMemory.closedAlone()).isEqualTo(before);
        assertThat(FakeOneSidedMemory.grants()).isZero();
        for (RemoteRegion each : attached) {
            assertThatThrownBy(() -> each.fetchAdd(0, 1)).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
        }
    }

    @Test
    void shouldEndWhatIsInFlightWhenItsOwnerCloses() throws DXNetException {
        RemoteRegion region = attach();
        devices.get(1).isSilent = true;
        CompletableFuture<Long> flying = region.fetchAddAsync(0, 1);
        engines.get(0).close();
        Cluster.await("the end of the operation", flying::isDone);
        assertThat(flying.exceptionNow())
                .isInstanceOfSatisfying(
                        RemoteMemoryException.RegionRevoked.class,
                        e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
    }

    /** The messages find out before the device does, whose deadline is a minute away. */
    @Test
    void shouldEndWhatIsInFlightWhenItsOwnerIsLost() throws DXNetException {
        RemoteRegion region = attach();
        devices.get(1).isSilent = true;
        CompletableFuture<Long> flying = region.fetchAddAsync(0, 1);
        engines.get(1).connectionLost(used.get(1).element(), "the test cuts it");
        Cluster.await("the end of the operation", flying::isDone);
        assertThat(flying.exceptionNow())
                .isInstanceOfSatisfying(
                        RemoteMemoryException.OwnerGone.class,
                        e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
        devices.get(1).isSilent = false;
        assertThat(region.fetchAdd(8, 1)).isZero();
        assertThat(devices.get(1).prepared.get()).isEqualTo(2);
    }

    @Test
    void shouldMakeAnotherWayWhereOneBroke() throws DXNetException {
        RemoteRegion region = attach();
        assertThat(region.fetchAdd(8, 1)).isZero();
        devices.get(1).isLosing = true;
        assertThatThrownBy(() -> region.fetchAdd(8, 1))
                .isInstanceOfSatisfying(
                        RemoteMemoryException.OwnerGone.class,
                        e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
        devices.get(1).isLosing = false;
        assertThat(region.fetchAdd(8, 1)).isEqualTo(1);
        assertThat(devices.get(1).prepared.get()).isEqualTo(2);
        Cluster.await("the end of the first grant", () -> FakeOneSidedMemory.grants() == 1);
        region.close();
        Cluster.await("the end of the second grant", () -> FakeOneSidedMemory.grants() == 0);
    }

    /** A region whose way has broken, so that its next operation makes another one. */
    private RemoteRegion attachBroken() throws DXNetException {
        RemoteRegion region = attach();
        devices.get(1).isLosing = true;
        assertThatThrownBy(() -> region.fetchAdd(8, 1)).isInstanceOf(RemoteMemoryException.OwnerGone.class);
        devices.get(1).isLosing = false;
        return region;
    }

    /**
     * A thread that waits while another one makes the next way. That one fails, and the application
     * closes the region: here still inside, so that the waiting thread is the next in any case.
     */
    @Test
    void shouldMakeNoWayWhereTheRegionIsClosedMeanwhile() throws Exception {
        FakeOneSidedMemory device = devices.get(1);
        RemoteRegion region = attachBroken();
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().unstarted(() -> end.complete(catchThrowable(() -> region.fetchAdd(8, 1))));
        device.onPrepare = () -> {
            device.onPrepare = () -> {};
            waiting.start();
            Cluster.await("a thread that waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
            region.close();
            throw new IllegalStateException("no memory");
        };
        assertThatThrownBy(() -> region.fetchAdd(8, 1)).isInstanceOf(IllegalStateException.class);
        assertThat(end.get(60, TimeUnit.SECONDS))
                .isInstanceOf(RemoteMemoryException.OwnerGone.class)
                .hasMessageContaining("it was detached");
        assertThat(device.prepared.get()).isEqualTo(2);
        assertThat(device.open.get()).isZero();
        Cluster.await("the end of the grant", () -> FakeOneSidedMemory.grants() == 0);
    }

    /** The owner may be down, and the attempt to attach again last long. */
    @Test
    void shouldCloseWithoutAWaitForTheThreadThatMakesTheNextWay() throws DXNetException {
        FakeOneSidedMemory device = devices.get(1);
        RemoteRegion region = attachBroken();
        device.onPrepare = () -> {
            Thread closing = Thread.ofPlatform().start(region::close);
            Cluster.await("the end of close", () -> !closing.isAlive());
        };
        assertThatThrownBy(() -> region.fetchAdd(8, 1))
                .isInstanceOf(RemoteMemoryException.OwnerGone.class)
                .hasMessageContaining("it was detached");
        assertThat(device.open.get()).isZero();
        Cluster.await("the end of the grants", () -> FakeOneSidedMemory.grants() == 0);
    }

    /** As its error handler may, when a device is refused. */
    @Test
    void shouldDetachWhereTheApplicationClosesTheRegionAmidAnOperation() throws DXNetException {
        FakeOneSidedMemory device = devices.get(1);
        RemoteRegion region = attachBroken();
        device.onPrepare = region::close;
        assertThatThrownBy(() -> region.fetchAdd(8, 1))
                .isInstanceOf(RemoteMemoryException.OwnerGone.class)
                .hasMessageContaining("it was detached");
        assertThat(device.open.get()).isZero();
        Cluster.await("the end of the grants", () -> FakeOneSidedMemory.grants() == 0);
    }

    @Test
    void shouldEndTheNextWayWhereTheRegionIsRevokedMeanwhile() throws DXNetException {
        FakeOneSidedMemory device = devices.get(1);
        RemoteRegion region = attachBroken();
        int before = device.posted.get();
        device.onOpen = () -> {
            device.onOpen = () -> {};
            owned.close();
            Cluster.await("the end of the first way, of which the owner knows", () -> device.open.get() == 1);
        };
        assertThatThrownBy(() -> region.fetchAdd(8, 1)).isInstanceOf(RemoteMemoryException.RegionRevoked.class);
        assertThat(device.posted.get()).isEqualTo(before);
        Cluster.await("the end of the next way", () -> device.open.get() == 0);
    }

    /** What was in flight on the first way ends after the second one was made. */
    @Test
    void shouldKeepTheNextWayWhereOneEndsLate() throws DXNetException {
        FakeOneSidedMemory device = devices.get(1);
        RemoteRegion region = attach();
        device.isSilent = true;
        CompletableFuture<Long> flying = region.fetchAddAsync(0, 1);
        device.isSilent = false;
        device.endsLate = true;
        device.isLosing = true;
        assertThatThrownBy(() -> region.fetchAdd(8, 1)).isInstanceOf(RemoteMemoryException.OwnerGone.class);
        device.isLosing = false;
        assertThat(region.fetchAdd(8, 1)).isZero();
        device.endUnanswered();
        Cluster.await("the end of the operation", flying::isDone);
        assertThat(flying.exceptionNow())
                .isInstanceOfSatisfying(
                        RemoteMemoryException.OwnerGone.class,
                        e -> assertThat(e.outcome()).isEqualTo(Outcome.UNKNOWN));
        assertThat(region.fetchAdd(8, 1)).isEqualTo(1);
        assertThat(device.prepared.get()).isEqualTo(2);
    }

    /** The device needs no connection: it may end long before the region is closed. */
    @Test
    void shouldDetachWhenTheConnectionHasEnded() throws DXNetException {
        MessagingEngine peer = engines.get(1);
        for (int i = 0; i < 200; i++) {
            RemoteRegion region = attach();
            assertThat(FakeOneSidedMemory.grants()).isEqualTo(1);
            assertThat(region.fetchAdd(8, 1)).isEqualTo(i);
            peer.disconnectNode(0);
            Cluster.await("the end of the connection", () -> {
                var statistics = peer.statistics();
                return statistics.connectionsOpened() == statistics.connectionsClosed();
            });
            region.close();
        }
        RemoteRegion last = attach();
        assertThat(last.isOneSided()).isTrue();
        assertThat(last.fetchAdd(8, 1)).isEqualTo(200);
        assertThat(FakeOneSidedMemory.grants()).isEqualTo(1);
    }

    /** Its peer does not learn the number of the attachment, and can't end it. */
    @Test
    void shouldEndAGrantWhoseReplyIsNotSent() throws DXNetException {
        RemoteRegion first = attach();
        devices.get(0).onGrant =
                () -> engines.get(0).connectionLost(used.get(0).getLast(), "the test cuts it amid the request");
        assertThatThrownBy(this::attach).isInstanceOf(RemoteMemoryException.OwnerGone.class);
        Cluster.await("the end of the grant", () -> FakeOneSidedMemory.grants() == 1);
        devices.get(0).onGrant = () -> {};
        assertThat(first.fetchAdd(8, 1)).isZero();
        assertThat(attach().fetchAdd(8, 1)).isEqualTo(1);
        assertThat(FakeOneSidedMemory.grants()).isEqualTo(2);
    }

    @Test
    void shouldKeepTheWayWhereLocalMemoryIsClosed() throws DXNetException {
        RemoteRegion region = attach();
        Arena shorter = Arena.ofShared();
        MemorySegment gone = shorter.allocate(8);
        shorter.close();
        CompletableFuture<Void> failed = region.writeAsync(0, gone);
        Cluster.await("the end of the operation", failed::isDone);
        assertThat(failed.exceptionNow())
                .isInstanceOfSatisfying(
                        RemoteMemoryException.class,
                        e -> assertThat(e.outcome()).isEqualTo(Outcome.NOT_DONE));
        assertThat(region.fetchAdd(8, 1)).isZero();
        assertThat(devices.get(1).prepared.get()).isEqualTo(1);
    }

    @Test
    void shouldCarryOperationsByMessagesWhereTheDeviceRefusesAQueuePair() throws DXNetException {
        devices.get(1).isRefusing = true;
        RemoteRegion region = attach();
        assertThat(region.isOneSided()).isFalse();
        assertThat(region.fetchAdd(16, 1)).isZero();
        assertThat(errors).hasSize(1);
        assertThat(devices.get(1).posted.get()).isZero();
    }

    @Test
    void shouldAttachToItselfByMessages() throws DXNetException {
        RemoteRegion region = engines.get(0).remoteMemory().attach(0, "region");
        assertThat(region.isOneSided()).isFalse();
        assertThat(region.fetchAdd(24, 1)).isZero();
    }
}
