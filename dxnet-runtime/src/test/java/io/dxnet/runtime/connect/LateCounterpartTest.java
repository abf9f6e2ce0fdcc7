package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A connection ends of which the other node has not opened its direction yet. This node waits for
 * it; from its goodbye on it refuses it, because it would not answer a request that comes by it.
 */
class LateCounterpartTest {
    private static final int PEER = 1;
    private static final long PEER_INCARNATION = 7;
    private static final long WAIT_NS = 125_000_000; // an eighth of the close timeout

    private final DXNetConfig config =
            DXNetConfig.builder().ringBytes(64 << 10).closeTimeoutMs(1000).build();
    private final RecordingHost host = new RecordingHost();
    private final ConnectionManager connections = new ConnectionManager(
            config,
            new NodeMap(0).put(PEER, "127.0.0.1:1"),
            8,
            1,
            new RingMemory(config.ringBytes()),
            new RequestMap(16, half -> {}),
            host);

    /** This node has opened its direction and ends it; the other node has reached the handover. */
    private PeerConnection ending() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        connections.opened(connection);
        connections.finish(connection, Disconnect.Reason.CLOSED);
        host.control();
        connections.signalsReceived(connection, ConnectionLife.SEEN);
        host.control();
        return connection;
    }

    @Test
    void shouldAcceptItBeforeTheGoodbye() throws Exception {
        PeerConnection connection = ending();
        host.nowNs = WAIT_NS;
        host.control();
        assertThat(connections.incoming(PEER, PEER_INCARNATION, connection)).isSameAs(connection);
        for (; host.nowNs <= 2 * WAIT_NS; host.nowNs += WAIT_NS / 10) {
            host.control();
        }
        assertThat(connection.tail())
                .as("the goodbye follows the other node's")
                .isEqualTo(PeerConnection.Tail.RESPONSES);
    }

    @Test
    void shouldRefuseItFromTheGoodbyeOn() throws Exception {
        PeerConnection connection = ending();
        host.nowNs = WAIT_NS;
        host.control();
        host.nowNs = WAIT_NS + 1;
        host.control();
        assertThat(connection.tail()).isEqualTo(PeerConnection.Tail.GOODBYE);
        assertThatThrownBy(() -> connections.incoming(PEER, PEER_INCARNATION, connection))
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refusal -> assertThat(refusal.isStale())
                                .as("the other node makes another connection")
                                .isTrue());
    }

    /** It was ended at the other node meanwhile, which has removed what its hello offered. */
    @Test
    void shouldEndAConnectionWhoseHelloCameToNothing() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.incoming(PEER, PEER_INCARNATION, null);
        connections.incomingFailed(connection);
        assertThat(connection.life().isEnded()).isTrue();
        assertThat(connections.isEmpty()).isTrue();
        assertThat(connections.incoming(PEER, PEER_INCARNATION, null))
                .as("the next hello makes another one")
                .isNotSameAs(connection);
    }

    @Test
    void shouldKeepAConnectionThatThisNodeIsOpeningWhenAHelloComesToNothing() throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(PEER);
        connections.openOutgoing(connection);
        assertThat(connections.incoming(PEER, PEER_INCARNATION, null)).isSameAs(connection);
        connections.incomingFailed(connection);
        assertThat(connection.isOpen()).isTrue();
        assertThat(connections.incoming(PEER, PEER_INCARNATION, null)).isSameAs(connection);
        connections.openingFailed(connection, new StaleConnectionException("the test wants it"));
        assertThat(connection.isOpen()).as("the other node opens its direction").isTrue();
        connections.incomingFailed(connection);
        assertThat(connections.isEmpty()).isTrue();
    }

    /** The other node has opened its direction, and ended the connection before this node's is. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndAConnectionThatTheOtherNodeHasEnded(boolean hasReceived) throws Exception {
        connections.wire(Stub.of(Transport.class), connection -> {}, () -> 0);
        PeerConnection connection = connections.incoming(PEER, PEER_INCARNATION, null);
        connections.incomingReady(connection, TransportContext.Directions.INCOMING);
        assertThat(host.opening).containsExactly(connection);
        connections.openingFailed(connection, new StaleConnectionException("the test wants it"));
        assertThat(connection.life().acceptsMessages()).isTrue();
        connections.openOutgoing(connection);
        assertThat(host.opening).containsExactly(connection, connection);
        connections.openingFailed(connection, StaleConnectionException.endedByPeer("the test wants it"));
        assertThat(connection.life().acceptsMessages()).isFalse();
        assertThat(connection.life().acceptsResponses()).isFalse();
        assertThat(connection.life().isEnded())
                .as("what has arrived is handled")
                .isFalse();
        PeerConnection next = connections.connectionTo(PEER);
        assertThat(next).isNotSameAs(connection);
        connections.openOutgoing(next);
        assertThat(host.opening).containsExactly(connection, connection, next);
        if (hasReceived) {
            connection.bytesReceived().add(1);
        }
        connections.brokenByTransport(connection, "the other node closed the connection");
        host.control();
        assertThat(connection.life().isEnded()).isTrue();
        assertThat(connection.life().reason())
                .as("a refusal is no evidence of an end in order")
                .isEqualTo(hasReceived ? Disconnect.Reason.LOST : Disconnect.Reason.CLOSED_BY_PEER);
    }
}
