package io.dxnet.transport.connection;

import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.TransportContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The direction to this node of a connection whose directions are opened apart: fills pooled
 * buffers and offers them to the engine.
 *
 * <p>A buffer that the engine refuses is kept, and nothing more is read until it is accepted: the
 * wire fills up, then the sender stops. The same when the pool has no buffer.
 *
 * <p>The agent only.
 */
public abstract class IncomingDirection {
    private static final String INTERRUPTED = "receiving failed: an error interrupted it";

    /** The connection. */
    protected final PairedConnection<?, ?, ?> owner;

    private final TransportContext context;
    private volatile boolean open; // the acceptor, once: the other node has the reply
    private @Nullable IncomingBuffer kept; // filled, not accepted by the engine yet
    private boolean stalled; // nothing is read: the engine refused kept, or the pool had no buffer
    private boolean interrupted; // nothing more is read: whether the engine has the last buffer is not known

    /**
     * Creates an open direction.
     *
     * @param owner the connection
     * @param context the engine
     */
    protected IncomingDirection(PairedConnection<?, ?, ?> owner, TransportContext context) {
        this.owner = owner;
        this.context = context;
    }

    /** The reply is sent: from here on, the channel belongs to the agent. The acceptor's thread. */
    final void open() {
        open = true;
    }

    /**
     * Returns whether the channel belongs to the agent. Before, what is written would be read in
     * place of the reply.
     *
     * @return false: the reply is still to be sent
     */
    public final boolean isOpen() {
        return open;
    }

    /**
     * Acquires a buffer; where there is none, the direction is stalled.
     *
     * @param bytes that it should have
     * @return null: none at present
     */
    protected final @Nullable IncomingBuffer acquire(int bytes) {
        IncomingBuffer buffer = null;
        try {
            buffer = context.pool().take(owner.connection(), bytes);
        } finally {
            if (buffer == null) { // also where the heap is full: what TLS has decrypted is no event
                stall();
            }
        }
        return buffer;
    }

    /**
     * Offers a buffer to the engine; where that refuses it, the direction is stalled.
     *
     * @param buffer filled
     */
    protected final void offer(IncomingBuffer buffer) {
        if (!isAccepted(buffer)) {
            kept = buffer;
            stall();
        }
    }

    private boolean isAccepted(IncomingBuffer buffer) {
        try {
            return context.offer(owner.connection(), buffer);
        } catch (RuntimeException | Error e) { // neither lost without a report nor passed on twice
            kept = null;
            interrupted = true;
            stalled = true;
            owner.fail(INTERRUPTED);
            stalled(true);
            throw e;
        }
    }

    private void stall() {
        stalled = true;
        stalled(true);
        owner.attend();
    }

    /**
     * Offers again what the engine refused.
     *
     * @return false where it refuses it again or has thrown; true: the direction is not stalled
     *     any more
     */
    protected final boolean resume() {
        if (interrupted) {
            return false;
        }
        if (kept != null) {
            if (!isAccepted(kept)) {
                return false;
            }
            kept = null;
        }
        if (stalled) {
            stalled = false;
            stalled(false);
        }
        return true;
    }

    /**
     * Begins or ends to wait for the wire.
     *
     * @param isStalled whether the wire has to wait
     */
    protected void stalled(boolean isStalled) {}

    /**
     * Returns whether the engine or the pool accepts nothing for the moment.
     *
     * @return false: it is read
     */
    public final boolean isStalled() {
        return stalled;
    }

    /** Drops what the engine did not accept. */
    protected final void drop() {
        stalled = false;
        if (kept != null) {
            kept.giveBack();
            kept = null;
        }
    }

    /**
     * Tries again what the engine or the pool did not allow.
     *
     * @return whether reading continues
     * @throws IOException when the other node sent what no node sends
     */
    protected abstract boolean retry() throws IOException;

    /**
     * Returns whether nothing more will come on the wire.
     *
     * @return true at its end
     */
    protected abstract boolean hasEnded();

    /**
     * Returns whether all that came was handed over, and nothing more will come.
     *
     * @return true: there are no last reads
     */
    final boolean isDrained() {
        return interrupted || hasEnded() && kept == null;
    }

    /** Waits for nothing any more, and drops what the engine did not accept. */
    protected abstract void quiet();

    /**
     * Proceeds with the end in order: what comes is dropped, because both nodes have handled all
     * that they want; the last signals are sent, then flow control ends.
     *
     * @param scratch a direct buffer
     * @return whether the other node has hung up too
     * @throws IOException when the wire is broken
     */
    protected abstract boolean finish(ByteBuffer scratch) throws IOException;

    /** Frees the wire and the buffer. */
    protected abstract void close();
}
