package io.dxnet.transport.ib;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.SendBatcher;

/**
 * A connection's direction from this node: its ring as the sending agent watches it, and whether
 * the send queue is full.
 */
final class SendStream extends SendBatcher.Stream {
    private final IbConnection connection;
    private volatile boolean stalled; // the send queue is full: senders set it, the polling thread clears it

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
    protected boolean isOver() {
        return !connection.isUsable();
    }

    /** The send queue is full; false when that was reported before. */
    boolean stall() {
        boolean before = stalled;
        stalled = true;
        return !before;
    }

    boolean isStalled() {
        return stalled;
    }

    /** There is room again; returns whether a sender waits for it. */
    boolean takeStalled() {
        boolean before = stalled;
        if (before) {
            stalled = false;
        }
        return before;
    }
}
