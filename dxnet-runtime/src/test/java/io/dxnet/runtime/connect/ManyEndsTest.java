package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.Response;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.PendingRequest;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several connections to one node end at the same time: a stream that one of them still needs, for
 * its goodbye, does not wait for the ends of the others.
 */
class ManyEndsTest {
    private static final int PEER = 1;

    private final DXNetConfig config =
            DXNetConfig.builder().ringBytes(64 << 10).maxConnections(1).build();
    private final RequestMap requests = new RequestMap(16, half -> {});
    private final RecordingHost host = new RecordingHost();
    private final WatchedSet live = new WatchedSet();
    private final ConnectionManager connections = new ConnectionManager(
            config,
            new NodeMap(0).put(PEER, "127.0.0.1:1"),
            8,
            1,
            new RingMemory(config.ringBytes()),
            requests,
            host,
            live);

    private PeerConnection opened() throws DXNetException {
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        connections.opened(connection);
        return connection;
    }

    /** The control thread could not be asked, for want of memory: it tries again at each tick. */
    @Test
    void shouldProceedWithAnEndThatCouldNotBePolled() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection first = opened();
        host.pollFailures = 2;
        connections.brokenByTransport(first, "a test");
        assertThat(connections.tick()).as("the next tick is needed").isTrue();
        assertThat(connections.tick()).isFalse();
        host.nowNs = Long.MAX_VALUE / 2; // whatever arrived before was read
        host.control();
        host.control();
        assertThat(first.life().isEnded()).as("%s", first.life()).isTrue();
        assertThat(connections.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEnforceTheLimitThatCouldNotBeCheckedOrPolled(boolean isChecked) throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection first = opened();
        PeerConnection second = connections.connectionTo(2);
        connections.openOutgoing(second);
        if (isChecked) {
            host.pollFailures = 1;
        } else {
            live.before.add(() -> {
                throw new FullHeap();
            });
        }
        // Where it is thrown, or reported, does not matter.
        catchThrowable(() -> connections.opened(second));
        host.nowNs = 2_000_000_000; // neither is new any more
        host.control();
        assertThat(first.hasLeft() || second.hasLeft()).isFalse();
        connections.tick();
        host.control();
        assertThat(first.hasLeft()).as("%s", first.life()).isNotEqualTo(second.hasLeft());
    }

    @Test
    void shouldTryAgainWhenALaterAttemptCouldNotBePolled() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        connections.finish(opened(), Disconnect.Reason.CLOSED); // its handover is not seen
        PeerConnection second = connections.connectionTo(PEER);
        host.pollFailures = 1;
        // Where it is thrown, or reported, does not matter.
        catchThrowable(() -> connections.openOutgoing(second));
        assertThat(second.life().isOpening()).as("%s", second.life()).isFalse();
    }

    /** They could not be handed to the control thread, for want of memory. */
    @Test
    void shouldFailRequestsAtOnceThatCanNotBeFailedLater() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection first = opened();
        PendingRequest request = new PendingRequest(PEER, "the test's request", Response.class, 0, null);
        assertThat(requests.tryAdd(request)).isTrue();
        request.connection(first);
        request.sent();
        first.unhandledResponses().incrementAndGet(); // they are failed later
        host.pollFailures = 2; // of its steps and of its requests
        // Where it is thrown, or reported, does not matter.
        catchThrowable(() -> connections.lost(first, Disconnect.Reason.LOST, "a test"));
        assertThat(request.failure())
                .isInstanceOf(ConnectionLostException.class)
                .hasMessage("the connection to node 1 ended before the test's request was answered: a test");
        assertThat(requests.outstanding()).isZero();
    }

    @Test
    void shouldEndWhereItsRequestsCanNotBeFailed() throws Exception {
        AtomicInteger closed = new AtomicInteger();
        Supplier<Integer> close = closed::incrementAndGet;
        connections.wire(Stub.of(Transport.class, Map.of("close", close)), connection -> {}, () -> 0);
        PeerConnection first = opened();
        host.timeFails = true;
        assertThatThrownBy(() -> connections.lost(first, Disconnect.Reason.LOST, "a test"))
                .isInstanceOf(InternalError.class);
        assertThat(closed).hasValue(1);
        assertThat(host.disconnected).isEqualTo(1);
        assertThat(connections.isEmpty()).isTrue();
    }

    /** The other node ends each connection at once, while a first one holds their order up. */
    @Test
    void shouldOpenTheStreamsThatManyEndsNeed() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection first = opened();
        connections.finish(first, Disconnect.Reason.CLOSED); // its handover is not seen
        List<PeerConnection> ending = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            PeerConnection connection = connections.incoming(PEER, 7, null);
            connections.incomingReady(connection, TransportContext.Directions.INCOMING);
            connections.handoverReached(connection);
            ending.add(connection);
            host.control();
        }
        assertThat(host.opening).as("before their order allows it").containsExactly(first);
        connections.lost(first, Disconnect.Reason.LOST, "a test");
        for (PeerConnection connection : ending) {
            host.control();
            assertThat(host.opening).contains(connection);
            connections.lost(connection, Disconnect.Reason.LOST, "a test");
        }
    }
}
