package io.dxnet.transport.connection;

import io.dxnet.transport.Connection;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.handshake.Pairing;
import io.dxnet.transport.handshake.PairingDecision;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A transport's state of a connection, as far as it is the same on every wire: where it is in its
 * life ({@link ConnectionState}), why it failed, which connection of the other node it leads to,
 * the channel of its handshake, and how many parts of the transport use the engine's memory for it.
 *
 * <p>Any thread, where nothing else is specified. The state changes by compare-and-set, so a thread
 * that reports a failure never waits. What belongs together with a state (pipes, the queue pair,
 * the handshake's channel) changes under this object's monitor.
 *
 * @param <C> itself
 */
public abstract class WireConnection<C extends WireConnection<C>> {
    private static final VarHandle STATE;
    private static final VarHandle FAILURE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(WireConnection.class, "state", ConnectionState.class);
            FAILURE = lookup.findVarHandle(WireConnection.class, "failure", String.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    volatile @Nullable C next; // under the monitor of Connections
    boolean attended; // the agent: it is in the agent's list

    @Nullable
    C nextAttended; // the agent: behind it in that list

    private final Connection connection;
    private final Pairing pairing;
    private final AtomicInteger uses;
    private volatile ConnectionState state = ConnectionState.NEW; // any thread
    private volatile @Nullable String failure; // any thread, the first one alone
    private @Nullable SocketChannel handshake; // under the monitor
    private long failedNs; // the receiving agent; 0: it has not seen the failure
    private long lingerEndNs; // the thread that ends connections; 0: it does not linger

    /**
     * Creates the state of a connection without a wire.
     *
     * @param connection the engine's
     * @param id of this node's end; later connections have higher ones
     * @param uses how many parts of the transport use ring and pool for it: so many calls of
     *     {@link #release} release it
     */
    protected WireConnection(Connection connection, long id, int uses) {
        this.connection = connection;
        this.pairing = new Pairing(id);
        this.uses = new AtomicInteger(uses);
    }

    /**
     * Returns the engine's connection.
     *
     * @return always the same
     */
    public final Connection connection() {
        return connection;
    }

    /**
     * Returns the other node.
     *
     * @return 0 to 65535, always the same
     */
    public final int nodeId() {
        return connection.nodeId();
    }

    /**
     * Returns an older connection to the same node.
     *
     * @return null where there is none
     */
    public final @Nullable C next() {
        return next;
    }

    /**
     * Returns which connection of the other node it leads to.
     *
     * @return always the same object
     */
    public final Pairing pairing() {
        return pairing;
    }

    // ---------------------------------------------------------------- state

    /**
     * Returns where it is in its life.
     *
     * @return a snapshot
     */
    public final ConnectionState state() {
        return state;
    }

    /**
     * Changes the state if the diagram allows it.
     *
     * @param next the new state
     * @return false where the present state does not lead to it: nothing changed
     */
    public final boolean advance(ConnectionState next) {
        ConnectionState now = state;
        while (now.leadsTo(next)) {
            if (STATE.compareAndSet(this, now, next)) {
                return true;
            }
            now = state;
        }
        return false;
    }

    /**
     * Returns whether the engine has closed it.
     *
     * @return true from {@link ConnectionState#LINGERING} on
     */
    public final boolean isClosed() {
        return state.isClosed();
    }

    /**
     * Returns whether the engine uses it for new messages: once it does not, a successor may
     * be opened.
     *
     * @return false where it ends or has ended
     */
    public final boolean isInUse() {
        return stage() == PairingDecision.Stage.OPEN;
    }

    /**
     * Returns how far its end has come, for the decision about a handshake.
     *
     * @return a snapshot
     */
    public final PairingDecision.Stage stage() {
        if (isClosed()) {
            return PairingDecision.Stage.CLOSED;
        }
        return connection.isOpen() ? PairingDecision.Stage.OPEN : PairingDecision.Stage.ENDING;
    }

    // ---------------------------------------------------------------- the handshake's channel

    /**
     * Keeps the channel of this node's handshake, so that closing the connection closes it.
     *
     * @param channel in the handshake; null: none any more
     * @return false where the engine has closed the connection
     */
    public synchronized boolean handshake(@Nullable SocketChannel channel) {
        handshake = channel;
        return !isClosed();
    }

    /** Closes the channel of this node's handshake, if there is one. */
    protected final synchronized void closeHandshake() {
        Channels.closeQuietly(handshake);
        handshake = null;
    }

    // ---------------------------------------------------------------- sending

    /** Has the data of the ring sent: see {@link io.dxnet.transport.Transport#dataPosted}. */
    protected abstract void dataPosted();

    /**
     * Sends by caller: see {@link io.dxnet.transport.Transport#sendNow}.
     *
     * @return whether anything was sent
     */
    protected abstract boolean sendNow();

    /**
     * Has confirmations and signals sent: see
     * {@link io.dxnet.transport.Transport#flowControlPosted}.
     */
    protected abstract void flowControlPosted();

    // ---------------------------------------------------------------- failing

    /**
     * Reports that it broke. The transport notifies the engine after what arrived before. Never
     * waits; further calls do nothing.
     *
     * @param detail what happened, in words
     */
    public final void fail(String detail) {
        if (FAILURE.compareAndSet(this, null, detail)) {
            advance(ConnectionState.FAILED);
            failed();
        }
    }

    /**
     * Has the transport's agent end it: called once, by the thread that calls {@link #fail}. Must
     * not wait.
     */
    protected abstract void failed();

    /**
     * Returns why it broke.
     *
     * @return null where it did not
     */
    public final @Nullable String failure() {
        return failure;
    }

    /**
     * Reports the loss of a failed connection to the engine, once what arrived before is passed on
     * or the time for that is up. The receiving agent, again and again until it returns true.
     *
     * @param context the engine
     * @param isDrained whether all that arrived before is passed on, as far as the agent knows
     * @param minMs the shortest time since the first call, because more may be announced later than
     *     the failure
     * @param maxMs the longest time since the first call
     * @return whether there is nothing left to report
     */
    @SuppressWarnings("NullAway") // a failed connection has its failure
    public final boolean reportLoss(TransportContext context, boolean isDrained, long minMs, long maxMs) {
        if (state != ConnectionState.FAILED) {
            return true;
        }
        long nowNs = System.nanoTime();
        if (failedNs == 0) {
            failedNs = nowNs | 1;
        }
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(nowNs - failedNs);
        if (waitedMs < (isDrained ? minMs : maxMs)) {
            return false;
        }
        if (advance(ConnectionState.LOST)) {
            stopReceiving();
            context.connectionLost(connection, failure);
        }
        return true;
    }

    /** Drops what arrived: called once, before the loss is reported, by the receiving agent. */
    protected abstract void stopReceiving();

    // ---------------------------------------------------------------- closing

    /**
     * Closes it for the engine.
     *
     * @param end {@link ConnectionState#LINGERING} for an end in order,
     *     {@link ConnectionState#CLOSED} for one at once
     * @return false where it was closed so before
     */
    public synchronized boolean close(ConnectionState end) {
        boolean closed = advance(end);
        if (closed) {
            closeHandshake();
        }
        notifyAll(); // threads that wait for its opening
        return closed;
    }

    /**
     * Begins to linger. The thread that ends connections.
     *
     * @param ms the longest time
     * @return whether this call began it; false: an earlier one
     */
    public final boolean beginLingering(long ms) {
        boolean begins = lingerEndNs == 0;
        if (begins) {
            lingerEndNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(ms) | 1;
        }
        return begins;
    }

    /**
     * Returns whether it began to linger. The thread that ends connections.
     *
     * @return true after {@link #beginLingering}
     */
    public final boolean isLingering() {
        return lingerEndNs != 0;
    }

    /**
     * Returns whether the time to linger is up. The thread that ends connections,
     * after {@link #beginLingering}.
     *
     * @return true: it does not wait for the other node any longer
     */
    public final boolean isLingerOver() {
        return System.nanoTime() - lingerEndNs >= 0;
    }

    /** Frees everything, once: {@link ConnectionState#FREED}. The thread that ends connections. */
    protected abstract void finish();

    /** Ends one part's use of ring and pool: the last call releases the engine's connection. */
    public final void release() {
        if (uses.decrementAndGet() == 0) {
            connection.released();
        }
    }
}
