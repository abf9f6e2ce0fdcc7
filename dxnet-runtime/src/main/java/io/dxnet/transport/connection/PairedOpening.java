package io.dxnet.transport.connection;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The direction from this node of a {@link PairedConnection} while it is opened: the channel of its
 * handshake becomes its own. The thread that connects.
 *
 * @param <C> the transport's state of a connection
 * @param <O> the direction
 */
public final class PairedOpening<C extends PairedConnection<C, O, ?>, O extends OutgoingDirection>
        extends WireOpening<C> {
    /** Where the channel itself is all that is described. */
    public static final byte[] NO_PAYLOAD = {};

    private final byte[] payload;
    private final Function<ByteStream, O> direction;

    /**
     * Creates an attempt that has not begun.
     *
     * @param context the engine
     * @param transport its name
     * @param connection that is opened
     * @param payload of the hello
     * @param direction makes it on its channel, in non-blocking mode
     */
    public PairedOpening(
            TransportContext context,
            String transport,
            C connection,
            byte[] payload,
            Function<ByteStream, O> direction) {
        super(context, transport, connection);
        this.payload = payload;
        this.direction = direction;
    }

    /**
     * Opens it.
     *
     * @param connector for the handshake
     * @param address the other node's
     * @param deadlineNs {@link System#nanoTime()} by which it has returned
     * @throws NodeUnreachableException with the reason
     */
    public void connect(Connector connector, @Nullable InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        try {
            connector.connect(this, address, deadlineNs);
        } finally {
            connection.pairing().endAttempt();
        }
    }

    @Override
    public boolean connecting(@Nullable SocketChannel channel) {
        if (channel == null) {
            connection.pairing().endAttempt();
        }
        return connection.handshake(channel);
    }

    @Override
    public Hello hello() {
        return hello(connection.pairing().id(), connection.pairing().beginAttempt(), payload);
    }

    @Override
    public void accepted(ByteStream channel, Reply reply) throws IOException {
        channel.socket().configureBlocking(false);
        if (!connection.attachOutgoing(reply, () -> direction.apply(channel))) {
            throw new StaleConnectionException(
                    "node " + nodeId() + " has begun another connection, or this one was closed");
        }
        connection.post(Interest.OPENED);
    }
}
