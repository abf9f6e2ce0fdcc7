package io.dxnet.transport;

import io.dxnet.transport.ring.OutgoingRingBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The connection to one other node, as a transport sees it. The engine makes it;
 * it has at most one to a node.
 */
public abstract class Connection {
    private final int nodeId;
    private final OutgoingRingBuffer ring;
    private volatile @Nullable Object attachment; // the transport

    /**
     * Makes a connection without a transport. For the engine.
     *
     * @param nodeId the other node
     * @param ring the outgoing stream
     */
    protected Connection(int nodeId, OutgoingRingBuffer ring) {
        this.nodeId = nodeId;
        this.ring = ring;
    }

    /** {@return the other node, 0 to 65535} */
    public final int nodeId() {
        return nodeId;
    }

    /** {@return the ring of the outgoing stream} */
    public final OutgoingRingBuffer ring() {
        return ring;
    }

    /** {@return what the transport attached, null until {@link #attach}} */
    public final @Nullable Object attachment() {
        return attachment;
    }

    /**
     * Keeps the transport's own state of this connection.
     *
     * @param state any object
     */
    public final void attach(Object state) {
        this.attachment = state;
    }

    /**
     * Removes what is to be confirmed to the other node. What can't be sent is put back
     * with {@link #returnFlowControl}. Any thread.
     *
     * @param max the most that the transport can send at once, 255 for one byte
     * @return steps of the flow control's threshold, 0 when there is nothing to confirm
     */
    public abstract int takeFlowControl(int max);

    /**
     * Puts back what {@link #takeFlowControl} returned.
     *
     * @param steps as returned
     */
    public abstract void returnFlowControl(int steps);

    /**
     * The other node confirmed steps. One thread at a time.
     *
     * @param steps of the flow control's threshold
     */
    public abstract void flowControlReceived(int steps);

    /**
     * Acquires the connection's signals that are to be sent to the other node, beside
     * flow control: {@link Transport#flowControlPosted} announces them too. What cannot be
     * sent is put back with {@link #returnSignals}. Any thread.
     *
     * @return a set of bits, 0 to 255; 0: none. Their order relative to data and to each
     *     other does not matter, and a bit that is sent twice does no harm
     */
    public abstract int takeSignals();

    /**
     * Puts back what {@link #takeSignals} returned.
     *
     * @param signals as returned
     */
    public abstract void returnSignals(int signals);

    /**
     * The other node sent signals. One thread at a time; never blocks.
     *
     * @param signals 1 to 255
     */
    public abstract void signalsReceived(int signals);

    /**
     * {@return whether the engine uses this connection for new messages; false once it ends,
     * in order or not: its successor may be opened then} Any thread; a snapshot.
     */
    public abstract boolean isOpen();

    /**
     * The transport no longer touches the ring: see {@link Transport#close}.
     */
    public abstract void released();

    /** {@return {@code connection to node 3}, for logs and errors} */
    @Override
    public final String toString() {
        return "connection to node " + nodeId;
    }
}
