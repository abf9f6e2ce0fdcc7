package io.dxnet.transport.nio;

import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.WireOpening;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * The direction from this node while it is opened: its channel becomes the outgoing one. Any thread
 * that may block.
 */
final class NioOpening extends WireOpening<NioConnection> {
    /** The channel itself is the wire: the handshake carries nothing more. */
    static final byte[] NO_PAYLOAD = {};

    private final InetSocketAddress address; // the other node's

    NioOpening(TransportContext context, NioConnection connection, InetSocketAddress address) {
        super(context, NioOptions.NAME, connection);
        this.address = address;
    }

    @Override
    public boolean connecting(SocketChannel channel) {
        if (channel == null) {
            connection.pairing().endAttempt();
        }
        return connection.handshake(channel);
    }

    @Override
    public Hello hello() {
        return hello(connection.pairing().id(), connection.pairing().beginAttempt(), NO_PAYLOAD);
    }

    @Override
    public void accepted(ByteStream channel, Reply reply) throws IOException {
        channel.socket().configureBlocking(false);
        if (!connection.attachOutgoing(channel, reply)) {
            throw new StaleConnectionException(
                    Connector.describe(nodeId(), address) + " has begun another connection, or this one was closed");
        }
        connection.post(Interest.CONNECT | Interest.READ_FC);
    }
}
