package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.connection.PairedOpening;
import io.dxnet.transport.handshake.Hello;

/** What a node of this transport sends. */
final class NioHello {
    private NioHello() {}

    static Hello of(
            DXNetConfig config,
            int nodeId,
            int listenerId,
            long incarnation,
            long connectionId,
            long listenerConnectionId) {
        return Hello.of(
                config,
                NioOptions.NAME,
                nodeId,
                listenerId,
                incarnation,
                connectionId,
                listenerConnectionId,
                PairedOpening.NO_PAYLOAD);
    }
}
