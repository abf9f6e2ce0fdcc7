package io.dxnet.transport.connection;

import io.dxnet.transport.Connection;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.PeerIdentity;
import io.dxnet.transport.handshake.Reply;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection whose two directions are opened apart, each by the node that sends in it. It starts
 * with one of them, gets the other when that is opened, and ends when the engine closes it.
 *
 * <p>Any thread, where nothing else is specified. The monitor is never held during I/O other than
 * closing a channel that is not registered.
 *
 * @param <C> itself
 * @param <O> the direction from this node
 * @param <I> the direction to this node
 */
public abstract class PairedConnection<
                C extends PairedConnection<C, O, I>, O extends OutgoingDirection, I extends IncomingDirection>
        extends WireConnection<C> {
    /**
     * Why a connection failed where an error, mostly for want of memory, interrupted a write: what
     * the other node has is not known.
     */
    public static final String INTERRUPTED = "writing failed: an error interrupted it";

    private final ConnectionAgent<C> agent;
    private volatile @Nullable O outgoing; // under the monitor, once
    private volatile @Nullable I incoming; // under the monitor, once

    /**
     * Creates a connection without directions.
     *
     * @param connection the engine's
     * @param id of this node's end
     * @param agent that sends and receives for it
     */
    protected PairedConnection(Connection connection, long id, ConnectionAgent<C> agent) {
        super(connection, id, 2); // the ring's use, the pool's use
        this.agent = agent;
    }

    /**
     * Returns the direction from this node.
     *
     * @return null as long as it is not open
     */
    public final @Nullable O outgoing() {
        return outgoing;
    }

    /**
     * Returns the direction to this node.
     *
     * @return null as long as it is not open
     */
    public final @Nullable I incoming() {
        return incoming;
    }

    /**
     * Posts interests, and signals the agent where it waits.
     *
     * @param interest of {@link Interest}
     */
    public final void post(int interest) {
        agent.post(nodeId(), interest);
    }

    /** Asks for a visit in every duty cycle. The agent. */
    @SuppressWarnings("unchecked") // C is this class
    final void attend() {
        agent.attend((C) this);
    }

    /**
     * Opens the direction from this node.
     *
     * @param reply that accepted it
     * @param direction makes it
     * @return false where it does not belong here any more
     */
    final synchronized boolean attachOutgoing(Reply reply, Supplier<O> direction) {
        handshake(null);
        boolean attached = state().isAlive()
                && pairing().attachOutgoing(new PeerIdentity(reply.incarnation(), reply.connectionId()));
        if (attached) {
            try {
                outgoing = direction.get();
            } finally {
                if (outgoing == null) {
                    pairing().detachOutgoing(); // the next attempt may open it
                }
            }
            advance(ConnectionState.USABLE);
        }
        return attached;
    }

    /**
     * Opens the direction to this node, but for the reply.
     *
     * @param hello that asks for it
     * @param direction makes it
     * @return false where it does not belong here any more
     */
    public final synchronized boolean attachIncoming(Hello hello, Supplier<I> direction) {
        boolean attached = state().isAlive()
                && pairing().attachIncoming(new PeerIdentity(hello.incarnation(), hello.connectionId()));
        if (attached) {
            try {
                incoming = direction.get();
            } finally {
                if (incoming == null) {
                    pairing().detachIncoming(); // the other node may ask again
                }
            }
            advance(ConnectionState.USABLE);
        }
        return attached;
    }

    @Override
    protected final void dataPosted() {
        OutgoingDirection out = outgoing;
        if (out != null && !out.isAttended()) {
            post(Interest.WRITE);
        }
    }

    @Override
    protected final boolean sendNow() {
        OutgoingDirection out = outgoing;
        return out != null && out.sendByCaller();
    }

    @Override
    protected final void flowControlPosted() {
        post(Interest.FLOW_CONTROL);
    }

    @Override
    protected final void failed() {
        post(Interest.CLOSE);
    }

    @Override
    protected final void stopReceiving() {
        OutgoingDirection out = outgoing;
        if (out != null) {
            out.quiet();
        }
        IncomingDirection in = incoming;
        if (in != null) {
            in.quiet();
        }
    }

    @Override
    protected final void finish() {
        if (!advance(ConnectionState.FREED)) {
            return;
        }
        closeHandshake(); // under the monitor: no direction is attached afterwards
        IncomingDirection in = incoming;
        if (in != null) {
            in.close();
        }
        OutgoingDirection out = outgoing;
        if (out != null) {
            out.end();
        } else {
            release(); // in the place of the direction
        }
        release();
    }
}
