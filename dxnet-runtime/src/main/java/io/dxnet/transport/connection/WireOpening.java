package io.dxnet.transport.connection;

import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Connector;
import io.dxnet.transport.handshake.Hello;

/**
 * Opens the direction from this node, as far as it is the same on every wire: which node is asked,
 * with which hello. The thread that connects.
 *
 * @param <C> the transport's state of a connection
 */
public abstract class WireOpening<C extends WireConnection<C>> implements Connector.Opening {
    /** The engine. */
    protected final TransportContext context;
    /** The connection that is opened. */
    protected final C connection;

    private final String transport;

    /**
     * Creates an attempt that has not begun.
     *
     * @param context the engine
     * @param transport its name
     * @param connection that is opened
     */
    protected WireOpening(TransportContext context, String transport, C connection) {
        this.context = context;
        this.transport = transport;
        this.connection = connection;
    }

    @Override
    public final int nodeId() {
        return connection.nodeId();
    }

    @Override
    public final boolean isClosed() {
        return connection.isClosed();
    }

    /**
     * Returns a hello of this connection.
     *
     * @param ownId of this node's end
     * @param theirId of the other node's end; 0: not known
     * @param payload what else the wire needs
     * @return to be sent
     */
    protected final Hello hello(long ownId, long theirId, byte[] payload) {
        return Hello.of(
                context.config(),
                transport,
                context.nodeMap().ownNodeId(),
                nodeId(),
                context.incarnation(),
                ownId,
                theirId,
                payload);
    }
}
