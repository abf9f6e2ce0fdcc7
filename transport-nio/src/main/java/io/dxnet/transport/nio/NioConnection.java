package io.dxnet.transport.nio;

import io.dxnet.transport.Connection;
import io.dxnet.transport.connection.ConnectionAgent;
import io.dxnet.transport.connection.PairedConnection;

/** A TCP connection: its two pipes. */
final class NioConnection extends PairedConnection<NioConnection, OutgoingPipe, IncomingPipe> {
    NioConnection(Connection connection, long id, ConnectionAgent<NioConnection> agent) {
        super(connection, id, agent);
    }

    /**
     * Makes the kernel probe the other node: if the connection is dead, the kernel reports its end
     * within seconds. Any thread.
     */
    void probe() {
        OutgoingPipe out = outgoing();
        if (out != null) {
            out.channel().probe();
        }
        IncomingPipe in = incoming();
        if (in != null) {
            in.channel().probe();
        }
    }
}
