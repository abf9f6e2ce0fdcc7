package io.dxnet.transport.ib;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.SendBatcher;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A connection's direction from this node: its ring as the sending agent watches it, and whether
 * the send queue is full.
 */
final class SendStream extends SendBatcher.Stream {
    private final IbConnection connection;
    // The send queue is full: senders set it, the polling thread clears it.
    private final AtomicBoolean stalled = new AtomicBoolean();
    // It was cleared by a thread that sends for this connection: that thread clears this one.
    private final AtomicBoolean resumed = new AtomicBoolean();

    SendStream(IbConnection connection) {
        this.connection = connection;
    }

    @Override
    protected OutgoingRingBuffer ring() {
        return connection.connection().ring();
    }

    @Override
    protected boolean sendByAgent() {
        return connection.endpoint().send(connection);
    }

    @Override
    protected boolean isFull() {
        return stalled.get();
    }

    @Override
    protected boolean isOver() {
        return !connection.isUsable();
    }

    /** The send queue is full; false when that was reported before. */
    boolean stall() {
        return !stalled.getAndSet(true);
    }

    /** There is room again; returns whether a sender waits for it. */
    boolean takeStalled() {
        return stalled.get() && stalled.getAndSet(false);
    }

    /** The thread that polls, and sends for this connection next, has found that there is room. */
    void resume() {
        resumed.set(true);
    }

    /** Returns whether there was {@link #resume} since the last call. */
    boolean takeResumed() {
        return resumed.get() && resumed.getAndSet(false);
    }
}
