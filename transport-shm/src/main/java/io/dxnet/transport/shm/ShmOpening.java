package io.dxnet.transport.shm;

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

/** The direction from this node while it is opened. The thread that opens it. */
final class ShmOpening extends WireOpening<ShmConnection> {
    private final InetSocketAddress address; // the other node's
    private final RingOffer offer;
    private final RingFile file;
    private boolean attached;

    /**
     * Prepares the opening.
     *
     * @param context the engine's
     * @param connection its state
     * @param address the other node's
     * @param offer for the hello
     * @param file of the offer
     */
    ShmOpening(
            TransportContext context,
            ShmConnection connection,
            InetSocketAddress address,
            RingOffer offer,
            RingFile file) {
        super(context, ShmOptions.NAME, connection);
        this.address = address;
        this.offer = offer;
        this.file = file;
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
        return hello(connection.pairing().id(), connection.pairing().beginAttempt(), offer.encode());
    }

    @Override
    public void accepted(ByteStream channel, Reply reply) throws IOException {
        channel.socket().configureBlocking(false);
        attached = connection.attachOutgoing(channel, reply, file);
        if (!attached) {
            throw new StaleConnectionException(
                    Connector.describe(nodeId(), address) + " has begun another connection, or this one was closed");
        }
        connection.post(ShmConnection.OPENED);
    }

    /** Returns whether the file is the connection's. */
    boolean isAttached() {
        return attached;
    }
}
