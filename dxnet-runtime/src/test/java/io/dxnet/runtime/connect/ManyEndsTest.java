package io.dxnet.runtime.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Several connections to one node end at the same time: a stream that one of them still needs, for
 * its goodbye, does not wait for the ends of the others.
 */
class ManyEndsTest {
    private static final int PEER = 1;

    private final DXNetConfig config = DXNetConfig.builder().ringBytes(64 << 10).build();
    private final RequestMap requests = new RequestMap(16, half -> {});
    private final RecordingHost host = new RecordingHost();
    private final ConnectionManager connections = new ConnectionManager(
            config, new NodeMap(0).put(PEER, "127.0.0.1:1"), 8, 1, new RingMemory(config.ringBytes()), requests, host);

    /** The other node ends each connection at once, while a first one holds their order up. */
    @Test
    void shouldOpenTheStreamsThatManyEndsNeed() throws Exception {
        connections.wire(Stub.of(Transport.class), null, () -> 0);
        PeerConnection first = connections.connectionTo(PEER);
        connections.openOutgoing(first);
        connections.opened(first);
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
