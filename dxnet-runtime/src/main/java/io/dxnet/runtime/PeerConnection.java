package io.dxnet.runtime;

import io.dxnet.Disconnect;
import io.dxnet.transport.Connection;
import io.dxnet.transport.OutgoingRingBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The engine's side of a connection: its state, the receiving half of flow control (DXNet §X), and the place of its stream at
 * which the message creation coordinator is.
 *
 * <p>States only go forward: OPEN, CLOSING (no new messages; what was sent is delivered), CLOSED. The ring is closed until the
 * direction to the peer is connected, so that a sender's one check, the claim, covers all that is unusual.
 */
final class PeerConnection extends Connection {
    static final int OPEN = 0;
    static final int CLOSING = 1;
    static final int CLOSED = 2;

    private static final VarHandle STATE;
    private static final VarHandle PROCESSED;
    private static final VarHandle STEPS;
    private static final VarHandle ANNOUNCED;
    private static final VarHandle CONNECTING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            STATE = lookup.findVarHandle(PeerConnection.class, "state", int.class);
            PROCESSED = lookup.findVarHandle(PeerConnection.class, "processed", long.class);
            STEPS = lookup.findVarHandle(PeerConnection.class, "steps", int.class);
            ANNOUNCED = lookup.findVarHandle(PeerConnection.class, "announced", boolean.class);
            CONNECTING = lookup.findVarHandle(PeerConnection.class, "connecting", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What the connection needs of the engine. */
    interface Owner {
        void flowControlPosted(PeerConnection connection);

        void protocolError(PeerConnection connection, String what);

        void released(PeerConnection connection);
    }

    private final Owner owner;
    private final long windowBytes;
    private final long stepBytes;

    private volatile int state;
    private volatile boolean outReady; // the connector, once
    private volatile boolean connecting; // whoever starts a connect job (CAS), the job
    private volatile boolean announced; // whoever is first (CAS)
    private volatile long peerIncarnation; // the transport's accepting thread
    private volatile boolean peerSaidGoodbye; // message creation coordinator
    private volatile boolean saidGoodbye; // control thread
    private volatile boolean transportDone; // the transport, once
    private volatile boolean delivered; // before CLOSED, where it ends in order
    private volatile Disconnect.Reason closeReason; // whoever leaves OPEN
    private volatile boolean endUrgent; // a handler that waits for the successor
    private volatile long processed; // bytes handled: every reader
    private volatile int steps; // confirmations not sent yet: readers add, the transport takes
    private volatile Exception connectFailure; // the connect job
    private boolean goodbyeLockHeld; // control thread
    int loneWrites; // of this tick; any sender, a race only shifts the limit
    long loneWritesNs; // the same
    int lastUsed; // control ticks; any sender, a race loses nothing

    /** Notified when the direction to the other node became usable or failed, and at the end. */
    final Object changed = new Object();

    /** Held by the one of the blocked senders that looks for room: see {@link BackPressure}. */
    final ReentrantLock gate = new ReentrantLock();

    /** The stream, for the message creation coordinator alone. */
    final StreamState stream = new StreamState();

    /** Bytes that arrived: the transport's receiving thread of this connection. */
    final Counter bytesReceived = new Counter();

    /** Buffers of this connection that the coordinator has not finished: guarded by its atomicity. */
    final java.util.concurrent.atomic.AtomicInteger queuedBuffers = new java.util.concurrent.atomic.AtomicInteger();

    PeerConnection(int nodeId, OutgoingRingBuffer ring, long windowBytes, long stepBytes, Owner owner) {
        super(nodeId, ring);
        this.windowBytes = windowBytes;
        this.stepBytes = stepBytes;
        this.owner = owner;
        ring.close();
    }

    // ---------------------------------------------------------------- life

    int state() {
        return state;
    }

    boolean isOpen() {
        return state == OPEN;
    }

    /** Leaves OPEN for CLOSING; one thread wins. */
    boolean startClosing(Disconnect.Reason reason) {
        if (STATE.compareAndSet(this, OPEN, CLOSING)) {
            closeReason = reason;
            return true;
        }
        return false;
    }

    /**
     * Goes to CLOSED; one thread wins.
     *
     * @param orderly whether all that was committed has been delivered
     * @return the state before, or CLOSED for the losers
     */
    int close(boolean orderly) {
        if (orderly) {
            delivered = true;
        }
        return (int) STATE.getAndSet(this, CLOSED);
    }

    /** Whether it ended, and what was committed before may not have been delivered. */
    boolean isLost() {
        return state == CLOSED && !delivered;
    }

    Disconnect.Reason closeReason() {
        return closeReason;
    }

    boolean isOutReady() {
        return outReady;
    }

    void outReady() {
        outReady = true;
        ring().open();
        if (state == CLOSED) { // not CLOSING: the farewell has a goodbye to write
            ring().close();
        }
    }

    boolean startConnecting() {
        return CONNECTING.compareAndSet(this, false, true);
    }

    boolean isConnecting() {
        return connecting;
    }

    void connectEnded(Exception failure) {
        connectFailure = failure;
        connecting = false;
    }

    Exception connectFailure() {
        return connectFailure;
    }

    /** True for the first caller. */
    boolean announce() {
        return ANNOUNCED.compareAndSet(this, false, true);
    }

    boolean wasAnnounced() {
        return announced;
    }

    long peerIncarnation() {
        return peerIncarnation;
    }

    void peerIncarnation(long value) {
        peerIncarnation = value;
    }

    void peerSaidGoodbye() {
        peerSaidGoodbye = true;
    }

    boolean hasPeerSaidGoodbye() {
        return peerSaidGoodbye;
    }

    void saidGoodbye() {
        saidGoodbye = true;
    }

    boolean hasSaidGoodbye() {
        return saidGoodbye;
    }

    /** A message handler can't go on before this connection has ended: see {@link Farewell}. */
    void endUrgent() {
        endUrgent = true;
    }

    boolean isEndUrgent() {
        return endUrgent;
    }

    /** The farewell holds the ring's lock for good: the control thread. */
    void goodbyeLockHeld() {
        goodbyeLockHeld = true;
    }

    boolean isGoodbyeLockHeld() {
        return goodbyeLockHeld;
    }

    /** Whether the ring's memory may serve another connection, as far as producers are concerned. Control thread. */
    boolean isRingQuiescent() {
        if (goodbyeLockHeld) {
            goodbyeLockHeld = false;
            ring().unlock(); // it is closed by now: this lets nobody in
        }
        return ring().isQuiescent();
    }

    /** Whether the peer may hang up now: it has all that was sent, or it never was sent anything and said goodbye. */
    boolean hasEndedInOrder() {
        return outReady ? saidGoodbye && ring().isDrained() : peerSaidGoodbye;
    }

    @Override
    public void released() {
        transportDone = true;
        owner.released(this);
    }

    boolean isTransportDone() {
        return transportDone;
    }

    // ---------------------------------------------------------------- flow control

    /** Received bytes were handled: the sender may send as many more. Any thread. */
    void processed(int bytes) {
        long before = (long) PROCESSED.getAndAdd(this, (long) bytes);
        int reached = (int) ((before + bytes) / stepBytes - before / stepBytes);
        if (reached > 0) {
            STEPS.getAndAdd(this, reached);
            owner.flowControlPosted(this);
        }
    }

    @Override
    public int takeFlowControl(int max) {
        for (; ; ) {
            int pending = steps;
            if (pending == 0) {
                return 0;
            }
            int taken = Math.min(pending, max);
            if (STEPS.compareAndSet(this, pending, pending - taken)) {
                return taken;
            }
        }
    }

    @Override
    public void returnFlowControl(int count) {
        STEPS.getAndAdd(this, count);
    }

    @Override
    public void flowControlReceived(int count) {
        ring().extendWindow(count * stepBytes);
        if (ring().unconfirmed(windowBytes) < 0) {
            owner.protocolError(this, "it confirmed more bytes than were sent to it");
        }
    }

    /** Bytes claimed so far; a snapshot. */
    long bytesSent() {
        return ring().claimedBytes();
    }

    /** Bytes sent that the peer has not confirmed; a snapshot. */
    long unconfirmedBytes() {
        return Math.max(0, ring().unconfirmed(windowBytes));
    }
}
