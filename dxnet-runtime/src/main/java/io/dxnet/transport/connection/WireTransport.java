package io.dxnet.transport.connection;

import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Acceptor;
import io.dxnet.transport.handshake.AcceptorOptions;
import io.dxnet.transport.handshake.Admission;

/**
 * A transport with a listener and connections, as far as it is the same on every wire. Any thread,
 * as {@link Transport} specifies.
 *
 * @param <C> the transport's state of a connection
 */
public abstract class WireTransport<C extends WireConnection<C>> implements Transport {
    /** The engine. */
    protected final TransportContext context;

    private final Connections<C> connections;

    @SuppressWarnings("NullAway.Init") // by listen()
    private volatile Acceptor acceptor; // listen()

    /**
     * Creates a transport that listens for no node yet.
     *
     * @param context the engine
     */
    @SuppressWarnings("this-escape") // create() runs when the engine has its first connection
    protected WireTransport(TransportContext context) {
        this.context = context;
        this.connections = new Connections<>(this::create);
    }

    /**
     * Makes the state of a connection.
     *
     * @param connection the engine's
     * @param id of this node's end
     * @return the state
     */
    protected abstract C create(Connection connection, long id);

    /**
     * Ends the wire of a connection that the engine has closed: once for each.
     *
     * @param c the connection
     */
    protected abstract void ended(C c);

    /**
     * Returns the connections.
     *
     * @return always the same object
     */
    public final Connections<C> connections() {
        return connections;
    }

    /**
     * Accepts other nodes from here on.
     *
     * @param admission that decides about them
     * @param options of the listener
     */
    protected final void listen(Admission admission, AcceptorOptions options) {
        acceptor = Acceptor.listen(context, admission, options);
    }

    /**
     * Returns where it listens, in words.
     *
     * @return a part of {@link #describe}
     */
    protected final String listening() {
        Acceptor listening = acceptor;
        return listening == null ? "not listening" : "listening on " + listening.describe();
    }

    @Override
    public final void close(Connection connection, Close close) {
        C c = connections.of(connection);
        if (!c.close(close == Close.IN_ORDER ? ConnectionState.LINGERING : ConnectionState.CLOSED)) {
            return;
        }
        ended(c);
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.connectionClosed();
        }
    }

    @Override
    public void close() {
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.close();
        }
    }
}
