package io.dxnet.transport.connection;

import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Acceptor;
import io.dxnet.transport.handshake.AcceptorOptions;
import io.dxnet.transport.handshake.Admission;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    private volatile boolean stopped; // finishAll()

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
     * Opens the direction from this node: see {@link Transport#connect}.
     *
     * @param c the connection
     * @param address of the other node
     * @param deadlineNs {@link System#nanoTime()} by which it must have returned
     * @throws NodeUnreachableException with the reason
     */
    protected abstract void open(C c, @Nullable InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException;

    /**
     * Returns what ends the connections.
     *
     * @return always the same
     */
    protected abstract ConnectionAgent<C> agent();

    /**
     * Ends a connection and frees what it has: when no thread of the transport runs any more.
     *
     * @param c the connection
     */
    protected void finish(C c) {
        agent().finish(c);
    }

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
    public final void connect(Connection connection, @Nullable InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        C c = connections.of(connection);
        if (stopped) {
            throw new NodeUnreachableException("node " + c.nodeId() + " can't be reached: closed");
        }
        open(c, address, deadlineNs);
    }

    @Override
    public final void dataPosted(Connection connection) {
        C c = connections.attached(connection);
        if (c != null) {
            c.dataPosted();
        }
    }

    @Override
    public final boolean sendNow(Connection connection) {
        C c = connections.attached(connection);
        return c != null && c.sendNow();
    }

    @Override
    public final void flowControlPosted(Connection connection) {
        C c = connections.attached(connection);
        if (c != null) {
            c.flowControlPosted();
        }
    }

    @Override
    public final void close(Connection connection, Close close) {
        C c = connections.of(connection);
        boolean closes = true; // also where it throws: a second call would find it closed
        try {
            closes = c.close(close == Close.IN_ORDER ? ConnectionState.LINGERING : ConnectionState.CLOSED);
            if (closes) {
                connections.closed(c);
            }
        } finally {
            if (closes) {
                end(c);
            }
        }
    }

    /** Has it ended by the agent, or, where no thread of the transport runs any more, ends it. */
    private void end(C c) {
        if (stopped) {
            finish(c);
        } else {
            agent().post(c.nodeId(), Interest.CLOSE);
        }
        Acceptor listening = acceptor;
        if (listening != null) {
            listening.connectionClosed();
        }
    }

    @Override
    public List<Agent> agents() {
        return List.of(agent());
    }

    @Override
    public void close() {
        Acceptor listening = acceptor;
        try {
            if (listening != null) {
                listening.close();
            }
        } finally {
            agent().close();
        }
    }

    /** Ends all connections: when no thread of the transport runs any more. */
    protected final void finishAll() {
        stopped = true;
        for (C c : connections.all()) {
            try {
                finish(c);
            } catch (RuntimeException | Error e) { // of want of memory, perhaps: the others are ended all the same
                context.error("ending a connection failed", e);
            }
        }
    }
}
