package io.dxnet.transport.nio;

import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * The direction from this node while it is opened: its channel becomes the outgoing one. Any thread
 * that may block.
 *
 * @param context the engine's
 * @param connection its state
 * @param address the other node's
 */
record NioOpening(TransportContext context, NioConnection connection, InetSocketAddress address)
        implements Connector.Opening {
    /** The channel itself is the wire: the handshake carries nothing more. */
    static final byte[] NO_PAYLOAD = {};

    @Override
    public int nodeId() {
        return connection.nodeId();
    }

    @Override
    public boolean connecting(SocketChannel channel) {
        if (channel == null) {
            connection.pairing().endAttempt();
        }
        return connection.handshake(channel);
    }

    @Override
    public boolean isClosed() {
        return connection.isClosed();
    }

    @Override
    public Hello hello() {
        return Hello.of(
                context.config(),
                NioOptions.NAME,
                context.nodeMap().ownNodeId(),
                nodeId(),
                context.incarnation(),
                connection.pairing().id(),
                connection.pairing().beginAttempt(),
                NO_PAYLOAD);
    }

    @Override
    public void accepted(SocketChannel channel, Reply reply) throws IOException {
        channel.configureBlocking(false);
        if (!connection.attachOutgoing(channel, reply)) {
            throw new StaleConnectionException(
                    Connector.describe(nodeId(), address) + " has begun another connection, or this one was closed");
        }
        connection.post(Interest.CONNECT | Interest.READ_FC);
    }
}
