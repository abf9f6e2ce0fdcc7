package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * There is no memory while a stream is opened: no thread waits for ever for an attempt that an
 * error interrupted.
 */
@Timeout(60)
class OpeningFaultsTest {
    private static final int PEER = 1;

    private final DXNetConfig config =
            DXNetConfig.builder().ringBytes(64 << 10).maxConnections(8).build();
    private final NodeMap nodes = new NodeMap(0).put(PEER, "127.0.0.1:1");
    private final RecordingHost host = new RecordingHost();
    private final WatchedSet live = new WatchedSet();
    private final ConnectionManager connections = new ConnectionManager(
            config, nodes, 8, 1, new RingMemory(config.ringBytes()), new RequestMap(16, half -> {}), host, live);

    private static Transport failing(String method) {
        Supplier<?> fails = () -> {
            throw new FullHeap();
        };
        return Stub.of(Transport.class, Map.of(method, fails));
    }

    /** Whether it throws does not matter; JUnit would end all tests at such an error. */
    private static void run(Runnable task) {
        catchThrowable(task::run);
    }

    /** Of which a successor has to wait: its handover is not seen. */
    private PeerConnection ending() throws Exception {
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        connections.opened(connection);
        connections.finish(connection, Disconnect.Reason.CLOSED);
        return connection;
    }

    @Test
    void shouldTryAgainWhereNeitherTheAttemptNorItsFailureCouldBeMade() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        host.openFailures = 1;
        run(() -> connections.openOutgoing(connection));
        assertThat(connection.life().isOpening()).as("%s", connection.life()).isFalse();
        assertThat(connection.connectFailure())
                .as("senders pause, and try again")
                .isInstanceOf(StaleConnectionException.class);
        PeerConnection next = connections.connectionTo(PEER);
        connections.openOutgoing(next);
        assertThat(host.opening).containsExactly(next);
    }

    @Test
    void shouldTryAgainWhereALaterAttemptCouldNotBePolled() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection first = ending();
        PeerConnection second = connections.connectionTo(PEER);
        host.pollFailures = 1;
        run(() -> connections.openOutgoing(second));
        assertThat(second.life().isOpening()).as("%s", second.life()).isFalse();
        PeerConnection third = connections.connectionTo(PEER);
        connections.openOutgoing(third);
        connections.lost(first, Disconnect.Reason.LOST, "a test");
        host.control();
        assertThat(host.opening).containsExactly(first, third);
    }

    /** Its wire is open both ways, but its stream has to wait for the first one's. */
    @Test
    void shouldOpenBothWaysWithTheNextAttemptWhatCouldNotBePolled() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection first = ending();
        PeerConnection second = connections.incoming(PEER, 7, null);
        host.pollFailures = 1;
        run(() -> connections.incomingReady(second, TransportContext.Directions.BOTH));
        assertThat(second.life().isOpening()).as("%s", second.life()).isFalse();
        connections.openOutgoing(second);
        connections.lost(first, Disconnect.Reason.LOST, "a test");
        host.control();
        assertThat(host.opening).containsExactly(first, second);
    }

    @Test
    void shouldTryAgainWhereTheOrderOfAConnectionBothWaysCouldNotBeChecked() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.incoming(PEER, 7, null);
        live.before.add(() -> {}); // of the limit
        live.before.add(() -> {
            throw new FullHeap();
        });
        run(() -> connections.incomingReady(connection, TransportContext.Directions.BOTH));
        assertThat(connection.life().isOpening()).as("%s", connection.life()).isFalse();
        connections.openOutgoing(connection);
        assertThat(host.opening).containsExactly(connection);
    }

    /** It ends after the attempt has begun, and its wire can not be closed. */
    @Test
    void shouldThrowWhatAnAttemptBothWaysEndsWith() throws Exception {
        connections.wire(failing("close"), connection -> {}, () -> 0);
        PeerConnection connection = connections.incoming(PEER, 7, null);
        live.before.add(() -> {}); // of the limit
        live.before.add(() -> run(() -> connections.lost(connection, Disconnect.Reason.LOST, "a test")));
        assertThatThrownBy(() -> connections.incomingReady(connection, TransportContext.Directions.BOTH))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(connection.life().isOpening()).as("%s", connection.life()).isFalse();
    }

    @Test
    void shouldOpenAStreamThatCouldNotBeReported() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        host.connectedFailures = 1;
        assertThatThrownBy(() -> connections.opened(connection)).isInstanceOf(OutOfMemoryError.class);
        assertThat(connection.life().isOpening()).as("%s", connection.life()).isFalse();
        assertThat(connection.isOutReady()).isTrue();
    }

    /** It is the only report of messages whose send has returned. */
    @Test
    void shouldReportAnEndLaterWhereThereWasNoMemory() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        connections.opened(connection);
        host.disconnectedFailures = 2;
        connections.lost(connection, Disconnect.Reason.LOST, "the test wants it");
        assertThat(connections.tick()).isTrue();
        assertThat(host.disconnected).isZero();
        assertThat(connections.tick()).isFalse();
        connections.tick();
        assertThat(host.disconnected).isEqualTo(1);
        assertThat(connections.ended()).isEqualTo(1);
    }

    /** Else an application would believe that a node is gone to which it has a connection. */
    @Test
    void shouldReportAnEndBeforeTheSuccessor() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        host.disconnectedFailures = 1;
        for (int i = 0; i < 2; i++) {
            PeerConnection connection = connections.connectionTo(PEER);
            connections.openOutgoing(connection);
            connections.opened(connection);
            connections.lost(connection, Disconnect.Reason.LOST, "end " + i);
        }
        assertThat(host.reports)
                .containsExactly("connected", "disconnected: end 0", "connected", "disconnected: end 1");
    }

    /** Else no later connection would use it, and closing would not free it. */
    @Test
    void shouldReturnTheRingWhereTheStagesHaveNoMemoryForTheEnd() throws Exception {
        connections.wire(
                Stub.of(Transport.class),
                connection -> {
                    throw new FullHeap();
                },
                () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        assertThatThrownBy(() -> connections.released(connection)).isInstanceOf(OutOfMemoryError.class);
        assertThat(host.retired).isEqualTo(1);
    }

    @Test
    void shouldEndTheWaitForAnAttemptWhoseWireCanNotBeClosed() throws Exception {
        connections.wire(failing("close"), connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        Thread waiting = Thread.ofPlatform().daemon().start(() -> await(connection));
        Cluster.await("the wait for it", () -> waiting.getState() == Thread.State.TIMED_WAITING);
        Exception failure = new StaleConnectionException("the test wants it");
        assertThatThrownBy(() -> connections.openingFailed(connection, failure)).isInstanceOf(OutOfMemoryError.class);
        waiting.join();
    }

    private static void await(PeerConnection connection) {
        try {
            connection.awaitChange(each -> true, Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** On the thread that opens it. */
    @Test
    void shouldEndAnAttemptWhoseErrorHasNoText() throws Exception {
        Transport transport = failing("connect");
        connections.wire(transport, connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        assertThat(connection.life().isOpening()).isTrue();
        try (Connecting connecting = new Connecting(config, nodes, new IdleStrategies(config))) {
            connecting.wire(transport, connections);
            connecting.open(connection);
            Cluster.await("the end of the attempt", () -> !connection.life().isOpening());
        }
    }
}
