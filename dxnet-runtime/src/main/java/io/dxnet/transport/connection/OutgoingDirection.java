package io.dxnet.transport.connection;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.SendBatcher;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The direction from this node of a connection whose directions are opened apart: sends what is
 * committed to the ring.
 *
 * <p>The consumer's side of the ring belongs to the holder of the send lock: the agent, or an
 * application thread in send by caller. The last user of the ring, the sealing thread or the
 * holder, ends the connection's use of it, exactly once.
 */
public abstract class OutgoingDirection extends SendBatcher.Stream {
    /** The most bytes of one turn; after it, other connections have theirs. */
    protected static final int TURN_BYTES_MAX = 1 << 20;

    /** The connection. */
    protected final PairedConnection<?, ?, ?> owner;
    /** The connection's. */
    protected final OutgoingRingBuffer ring;

    private final SendLock lock = new SendLock();
    // The wire accepted less than all: set by the holder, cleared by the agent while it is the
    // holder. As long as it is set, the agent sends what is committed, when there is room; and then
    // WRITE is posted where more is claimed.
    private volatile boolean blocked;
    private volatile boolean broken; // the holder, with blocked: nothing can be sent any more

    /**
     * Creates an open direction.
     *
     * @param owner the connection
     */
    protected OutgoingDirection(PairedConnection<?, ?, ?> owner) {
        this.owner = owner;
        this.ring = owner.connection().ring();
    }

    @Override
    protected final OutgoingRingBuffer ring() {
        return ring;
    }

    @Override
    protected final boolean isOver() {
        return lock.isSealed() || broken;
    }

    /** Returns whether the agent will send what is committed. Any thread. */
    final boolean isAttended() {
        return isWatched() || blocked;
    }

    /** {@return whether the wire accepted less than all} */
    @Override
    protected final boolean isFull() {
        return blocked;
    }

    /** {@return whether nothing can be sent any more} */
    protected final boolean isBroken() {
        return broken;
    }

    /** The wire is full: the agent continues. The holder of the lock. */
    protected final void block() {
        blocked = true;
    }

    /** The wire is not used any more: no thread tries again. */
    protected final void abandon() {
        broken = true;
        blocked = true;
    }

    /**
     * The wire is broken.
     *
     * @param detail what happened, in words
     */
    protected final void broken(String detail) {
        abandon();
        owner.fail(detail);
    }

    /**
     * Send by caller. Any thread; never waits.
     *
     * @return whether anything was sent
     */
    final boolean sendByCaller() {
        return !blocked && send(false);
    }

    /**
     * The agent's turn: on a WRITE interest, or when the wire has room again.
     *
     * @return whether anything was sent
     */
    @Override
    protected boolean sendByAgent() {
        return send(true);
    }

    /**
     * The agent's turn when the wire has room again.
     *
     * @return whether anything was sent
     */
    protected final boolean sendMore() {
        try {
            return sendByAgent();
        } finally {
            if (!blocked && !ring.hasPostedAll()) {
                owner.post(Interest.WRITE); // threads that commit now may have relied on this turn
            }
        }
    }

    private boolean send(boolean agent) {
        boolean sent = false;
        int left = TURN_BYTES_MAX;
        for (; ; ) {
            if (!lock.tryAcquire()) {
                return sent; // the holder checks the ring after its release; what it misses, is posted or awaited
            }
            boolean full;
            long posted;
            try {
                int bytes = turn(agent, left);
                sent |= bytes > 0;
                left -= bytes;
                full = blocked;
                posted = ring.postedPosition();
            } finally {
                unlock();
            }
            if (full) {
                if (!agent && !lock.isSealed()) {
                    owner.post(Interest.WRITE); // only the agent can wait for the wire
                }
                return sent;
            }
            if (ring.committedPosition() == posted) {
                return sent;
            }
            if (left <= 0) {
                owner.post(Interest.WRITE);
                return sent;
            }
        }
    }

    /** The holder of the lock. */
    private int turn(boolean agent, int bytesMax) {
        if (broken) {
            return 0;
        }
        if (agent) {
            blocked = false;
        }
        return write(bytesMax);
    }

    /**
     * Sends from the ring until it is empty, or the wire full ({@link #block}) or broken
     * ({@link #broken}). The holder of the lock only.
     *
     * @param bytesMax where it stops
     * @return bytes
     */
    protected abstract int write(int bytesMax);

    /**
     * Returns whether the wire has all that was sent.
     *
     * @return false where this node has to send it again
     */
    protected boolean isFlushed() {
        return true;
    }

    private void unlock() {
        if (lock.release()) {
            owner.release();
        }
    }

    // ---------------------------------------------------------------- the end, by the agent

    /**
     * Sends what is left, then ends the use of the ring. In an orderly close, again and again until
     * it returns true.
     *
     * @return whether no thread uses the ring any more
     */
    protected final boolean finishRing() {
        if (lock.tryAcquire()) {
            try {
                turn(true, TURN_BYTES_MAX);
                if (broken || ring.readable() == 0 && isFlushed()) {
                    lock.seal();
                }
            } finally {
                unlock();
            }
        }
        return lock.isSealed() && !lock.isHeld();
    }

    /** Waits until no thread uses the ring, after its end: for the time of one copy. */
    protected final void awaitRelease() {
        lock.awaitRelease();
    }

    /** Ends the use of the ring: at once, or with the holder's release; then closes. */
    final void end() {
        if (lock.seal()) {
            owner.release();
        }
        close();
    }

    /**
     * Returns whether the other node will send no flow control any more.
     *
     * @return true where it hung up
     */
    protected abstract boolean hasEnded();

    /** Waits for nothing any more. */
    protected abstract void quiet();

    /**
     * Proceeds with the end in order: sends what is left, then ends the stream.
     *
     * @param scratch a direct buffer
     * @return whether the other node has hung up too
     * @throws IOException when the wire is broken
     */
    protected abstract boolean finish(ByteBuffer scratch) throws IOException;

    /** Frees the wire, after {@link SendLock#seal}. */
    protected abstract void close();
}
