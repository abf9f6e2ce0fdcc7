package io.dxnet.runtime;

import io.dxnet.transport.Connection;
import io.dxnet.transport.OutgoingRingBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * The engine's side of a connection: its {@link ConnectionLife life}, the receiving half of flow control (DXNet §X), and the
 * position of the message creation coordinator in its stream.
 *
 * <p>The ring is closed until the stream to the other node is open, so that a sender's one check, the claim, covers all
 * that is unusual.
 */
final class PeerConnection extends Connection implements ConnectionLife.Streams {
    private static final VarHandle PROCESSED;
    private static final VarHandle CONFIRMED_STEPS;
    private static final VarHandle LARGEST_BYTES;
    private static final VarHandle STEPS;
    private static final VarHandle SIGNALS;
    private static final VarHandle ABANDONED_HALVES;
    private static final VarHandle LEFT;
    private static final VarHandle TAIL;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PROCESSED = lookup.findVarHandle(PeerConnection.class, "processed", long.class);
            CONFIRMED_STEPS = lookup.findVarHandle(PeerConnection.class, "confirmedSteps", long.class);
            LARGEST_BYTES = lookup.findVarHandle(PeerConnection.class, "largestBytes", int.class);
            STEPS = lookup.findVarHandle(PeerConnection.class, "steps", int.class);
            SIGNALS = lookup.findVarHandle(PeerConnection.class, "signals", int.class);
            ABANDONED_HALVES = lookup.findVarHandle(PeerConnection.class, "abandonedHalves", int.class);
            LEFT = lookup.findVarHandle(PeerConnection.class, "left", boolean.class);
            TAIL = lookup.findVarHandle(PeerConnection.class, "tail", Tail.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What the stream to the other node may still carry, and the thread that writes it. */
    enum Tail {
        /** Everything; the ring gives out regions. */
        OPEN,
        /** The control thread holds the ring's lock, for good, and writes the handover. */
        LOCKED,
        /** Responses; no thread writes one. */
        RESPONSES,
        /** A thread writes a response. */
        RESPONDING,
        /** The control thread writes the goodbye. */
        GOODBYE
    }

    /** What the connection needs of the engine. */
    interface Owner {
        void flowControlPosted(PeerConnection connection);

        void signalsReceived(PeerConnection connection, int signals);

        void protocolError(PeerConnection connection, String what);

        void released(PeerConnection connection);

        boolean hasRequests(PeerConnection connection);
    }

    private final Owner owner;
    private final long windowBytes;
    private final long stepBytes;
    private final ConnectionLife life;

    private volatile boolean left; // the thread that takes it out of the table (CAS)
    private volatile boolean announced; // under the life's monitor
    private volatile long announcedNs; // the same
    private volatile long peerIncarnation; // under the life's monitor
    private volatile long processed; // bytes handled: every reader
    private volatile long confirmedSteps; // readers, by CAS
    private volatile int largestBytes; // of the messages sent: senders, by CAS
    private volatile int steps; // confirmations not sent yet: readers add, the transport takes
    private volatile int signals; // signals not sent yet: the control thread adds, the transport takes
    private volatile int abandonedHalves; // whoever gives up a request adds
    private volatile boolean handlerWaiting; // message handlers that wait for it to be opened
    private volatile Exception connectFailure; // the connect job
    private volatile PeerConnection predecessor; // the connection manager's monitor
    private volatile Tail tail = Tail.OPEN; // the control thread, and senders of responses by CAS
    int loneWrites; // of this tick; any sender, a race only shifts the limit
    long loneWritesNs; // the same
    int lastUsed; // control ticks; any sender, a race loses nothing
    long bytesReceivedBefore; // at the last search for the least recently used; the connection manager's monitor

    private final ReentrantLock changing = new ReentrantLock();
    private final Condition changed = changing.newCondition();

    /** Held by the one of the blocked senders that looks for room: see {@link BackPressure}. */
    final ReentrantLock gate = new ReentrantLock();

    /** The stream, for the message creation coordinator alone. */
    final StreamState stream = new StreamState();

    /** Bytes that arrived: the transport's receiving thread of this connection. */
    final Counter bytesReceived = new Counter();

    /** Buffers of this connection that the coordinator has not finished: guarded by its atomicity. */
    final AtomicInteger queuedBuffers = new AtomicInteger();

    PeerConnection(
            int nodeId,
            OutgoingRingBuffer ring,
            long windowBytes,
            long stepBytes,
            long closeTimeoutNs,
            PeerConnection predecessor,
            Owner owner) {
        super(nodeId, ring);
        this.windowBytes = windowBytes;
        this.stepBytes = stepBytes;
        this.life = new ConnectionLife(closeTimeoutNs);
        this.predecessor = predecessor;
        this.owner = owner;
        ring.close();
    }

    /** The same in every run, so that sets have the same order: a simulated schedule repeats from its seed. Equality is identity. */
    @Override
    public int hashCode() {
        return nodeId();
    }

    // ---------------------------------------------------------------- life

    ConnectionLife life() {
        return life;
    }

    @Override
    public boolean isOpen() {
        return life.isOpen() && !left;
    }

    /** Whether messages may be claimed; also while it ends, until its handover. */
    boolean isOutReady() {
        return life.isOutgoingOpen();
    }

    /** Whether it ended, and what was committed before may not have been handled. */
    boolean isLost() {
        return life.isEnded() && !life.isDelivered();
    }

    /** The stream to the other node may be used; false when the connection has ended meanwhile. */
    boolean outgoingOpened() {
        synchronized (
                life) { // with the ring: nothing is claimed any more in one whose memory may serve another connection
            if (!life.outgoingOpened()) {
                return false;
            }
            ring().open();
            return true;
        }
    }

    @Override
    public void closeRing() {
        synchronized (life) {
            ring().close();
        }
    }

    /** True for the first caller: it takes the connection out of the table. */
    boolean leave() {
        return LEFT.compareAndSet(this, false, true);
    }

    boolean hasLeft() {
        return left;
    }

    /** True for the first caller, unless the connection has ended. Under the life's monitor. */
    boolean announce(long nowNs) {
        if (announced || life.isEnded()) {
            return false;
        }
        announcedNs = nowNs;
        announced = true;
        return true;
    }

    long announcedNs() {
        return announcedNs;
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

    void handlerWaits() {
        if (!handlerWaiting) {
            handlerWaiting = true;
        }
    }

    boolean isHandlerWaiting() {
        return handlerWaiting;
    }

    void connectFailure(Exception failure) {
        connectFailure = failure;
    }

    Exception connectFailure() {
        return connectFailure;
    }

    /** The connection to the same node before this one, as long as it matters. */
    PeerConnection predecessor() {
        return predecessor;
    }

    void predecessor(PeerConnection connection) {
        predecessor = connection;
    }

    /** Ends the waits in {@link #awaitChange}. */
    void signalChange() {
        changing.lock();
        try {
            changed.signalAll();
        } finally {
            changing.unlock();
        }
    }

    /**
     * Waits until something about opening or ending changes, or the time is up.
     *
     * @param isOfUse whether there is still something to wait for: checked where no signal is missed
     */
    void awaitChange(Predicate<PeerConnection> isOfUse, long timeoutNs) throws InterruptedException {
        changing.lock();
        try {
            if (isOfUse.test(this) && life.isOpening()) {
                changed.awaitNanos(timeoutNs);
            }
        } finally {
            changing.unlock();
        }
    }

    Tail tail() {
        return tail;
    }

    void tail(Tail next) {
        tail = next;
    }

    boolean tail(Tail expected, Tail next) {
        return TAIL.compareAndSet(this, expected, next);
    }

    /** Whether the ring is locked for good, so that messages go by the successor, and responses by {@link #tryLock}. */
    boolean isHandedOver() {
        return tail != Tail.OPEN;
    }

    /**
     * Locks the stream for a message that is written in regions: the ring's lock, or the one among responses when the ring is locked
     * for good. Any thread.
     */
    boolean tryLock(boolean isResponse) {
        return tail == Tail.OPEN ? ring().tryLock() : isResponse && tail(Tail.RESPONSES, Tail.RESPONDING);
    }

    /** The thread that {@link #tryLock} returned true to. */
    void unlock() {
        if (!tail(Tail.RESPONDING, Tail.RESPONSES)) {
            ring().unlock();
        }
    }

    /** Whether the ring's memory may serve another connection, as far as producers are concerned. After the end, control thread. */
    boolean isRingQuiescent() {
        Tail held = tail;
        if (held != Tail.OPEN && held != Tail.RESPONDING && tail(held, Tail.OPEN)) {
            ring().unlock(); // it is closed by now: this lets nobody in
        }
        return ring().isQuiescent();
    }

    @Override
    public void released() {
        owner.released(this);
    }

    /** Whether it is a connection of this engine. */
    boolean isOf(Owner engine) {
        return owner == engine;
    }

    /** A request was given up whose response may still come. Any thread. */
    void abandoned(int half) {
        ABANDONED_HALVES.getAndBitwiseOr(this, 1 << half);
    }

    /** Whether there are such requests with ids of that half: see {@link RequestMap}. */
    boolean hasAbandoned(int half) {
        return (abandonedHalves & 1 << half) != 0;
    }

    // ---------------------------------------------------------------- what the life asks

    @Override
    public boolean hasRequests() {
        return owner.hasRequests(this);
    }

    @Override
    public boolean hasReceived() {
        return bytesReceived.get() > 0;
    }

    @Override
    public boolean isParsed() {
        return queuedBuffers.get() == 0;
    }

    @Override
    public boolean isHandled() {
        // The goodbye itself is the last message, and is not handled.
        return isParsed() && processed + HeaderDescriptor.BYTES == bytesReceived.get();
    }

    @Override
    public boolean isAllHandled() {
        return isParsed() && processed == bytesReceived.get();
    }

    @Override
    public long handledMark() {
        return processed;
    }

    @Override
    public long sentMark() {
        return ring().progressMark();
    }

    /** The most bytes sent that the other node may not have handled: it may have confirmed those of one message ahead. A snapshot. */
    @Override
    public long unconfirmedBytes() {
        if (life.isDelivered()) {
            return 0;
        }
        long unconfirmed = Math.max(0, ring().unconfirmed(windowBytes));
        return Math.min(ring().claimedBytes(), unconfirmed + largestBytes);
    }

    /** A message of so many bytes is about to be committed. Any thread. */
    void sending(int bytes) {
        int before = largestBytes;
        while (bytes > before && !LARGEST_BYTES.compareAndSet(this, before, bytes)) {
            before = largestBytes;
        }
    }

    // ---------------------------------------------------------------- signals

    /** Sends signals to the other node. */
    void signal(int set) {
        SIGNALS.getAndBitwiseOr(this, set);
        owner.flowControlPosted(this);
    }

    @Override
    public int takeSignals() {
        return signals == 0 ? 0 : (int) SIGNALS.getAndSet(this, 0);
    }

    @Override
    public void returnSignals(int set) {
        SIGNALS.getAndBitwiseOr(this, set);
    }

    @Override
    public void signalsReceived(int set) {
        owner.signalsReceived(this, set);
    }

    /** Bytes that arrived and that the coordinator has not finished; a snapshot. */
    long queuedBytes() {
        return bytesReceived.get() - stream.finished.get();
    }

    // ---------------------------------------------------------------- flow control

    /** Received bytes were handled, or the rest of their message needs room: the sender may send as many more. Any thread. */
    void processed(int bytes) {
        long before = (long) PROCESSED.getAndAdd(this, (long) bytes);
        long reached = (before + bytes) / stepBytes;
        if (reached != before / stepBytes) {
            confirm(reached);
        }
    }

    private void confirm(long reached) {
        long before;
        do {
            before = confirmedSteps;
            if (before >= reached) {
                return; // confirmed ahead
            }
        } while (!CONFIRMED_STEPS.compareAndSet(this, before, reached));
        STEPS.getAndAdd(this, (int) (reached - before));
        owner.flowControlPosted(this);
    }

    /**
     * Bytes of a message that were confirmed ahead, because the rest could only come if the window opened, are not handled yet, after all.
     * So what is confirmed is never more than what was handled and one message: {@link #unconfirmedBytes} of the sender counts on that.
     */
    void takeBack(int bytes) {
        PROCESSED.getAndAdd(this, (long) -bytes);
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
        // Compared before it counts: positions are modulo 2^48, and a count that wraps them would pass for a small one.
        long bytes = count * stepBytes;
        if (count < 0 || bytes > ring().unconfirmed(windowBytes)) {
            owner.protocolError(this, "it confirmed more bytes than were sent to it");
            return;
        }
        ring().extendWindow(bytes);
    }

    /** Bytes claimed so far; a snapshot. */
    long bytesSent() {
        return ring().claimedBytes();
    }
}
