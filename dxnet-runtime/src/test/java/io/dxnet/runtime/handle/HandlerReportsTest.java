package io.dxnet.runtime.handle;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.runtime.Stub;
import io.dxnet.runtime.connect.ConnectionManager;
import io.dxnet.runtime.connect.ControlAgent;
import io.dxnet.runtime.connect.RingMemory;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.request.RequestMap;
import io.dxnet.runtime.send.Sender;
import io.dxnet.runtime.send.StreamOpener;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerReportsTest {
    private static final int TYPE = 7;

    /** Else the messages would count as handled: their sender would not be informed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndTheConnectionWhereARejectionCannotBeSent(boolean isError) throws Exception {
        DXNetConfig config = DXNetConfig.builder().ringBytes(32 << 10).build();
        RequestMap requests = new RequestMap(16, half -> {});
        ControlAgent control = new ControlAgent(0, requests, (what, error) -> {});
        ConnectionManager connections = new ConnectionManager(
                config, new NodeMap(0), 8, 1, new RingMemory(config.ringBytes()), requests, control);
        Transport transport = Stub.of(Transport.class, Map.of("dataPosted", (Supplier<?>) () -> {
            if (isError) {
                throw new OutOfMemoryError("of the report");
            }
            throw new IllegalStateException("of the report");
        }));
        connections.wire(transport, connection -> {}, () -> 0);
        PeerConnection connection = connections.connectionTo(1);
        connection.life().startOpening();
        assertThat(connection.outgoingOpened()).isTrue();
        Sender sender = new Sender(
                config, key -> false, transport, new IdleStrategies(config), connections, Stub.of(StreamOpener.class));
        HandlerReports reports = new HandlerReports(connections, sender, control, (what, error) -> {}, 1 << 20);
        reports.reject(
                connection, HeaderDescriptor.word(0, HeaderDescriptor.MESSAGE, TYPE, TYPE, 0), 3, "", "not read");
        assertThat(connection.life().isEnded()).isTrue();
    }
}
