package io.dxnet.runtime.peer;

import io.dxnet.runtime.thread.Counter;
import io.dxnet.runtime.wire.HeaderDescriptor;
import io.dxnet.transport.Connection;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of a connection. It has the connection's {@link ConnectionLife life},
 * the receiving half of flow control (DXNet §X), and the position of the message
 * creation coordinator in its stream.
 *
 * <p>The ring is closed until the stream to the other node is open, so that a sender's
 * one check, the claim, covers all that is unusual.
 *
 * <p>It has more than 400 lines: what senders, handlers and the transport share of a
 * connection is reached by one load.
 */
public final class PeerConnection extends Connection implements ConnectionLife.Streams {
    private static final VarHandle PROCESSED;
    private static final VarHandle HANDLED_EVEN;
    private static final VarHandle HANDLED_ODD;
    private static final VarHandle CONFIRMED_STEPS;
    private static final VarHandle LARGEST_BYTES;
    private static final VarHandle STEPS;
    private static final VarHandle SIGNALS;
    private static final VarHandle ABANDONED_HALVES;
    private static final VarHandle LEFT;
    private static final VarHandle TAIL;
    private static final VarHandle BARRIER;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            PROCESSED = lookup.findVarHandle(PeerConnection.class, "processed", long.class);
            HANDLED_EVEN = lookup.findVarHandle(PeerConnection.class, "handledEven", long.class);
            HANDLED_ODD = lookup.findVarHandle(PeerConnection.class, "handledOdd", long.class);
            CONFIRMED_STEPS = lookup.findVarHandle(PeerConnection.class, "confirmedSteps", long.class);
            LARGEST_BYTES = lookup.findVarHandle(PeerConnection.class, "largestBytes", int.class);
            STEPS = lookup.findVarHandle(PeerConnection.class, "steps", int.class);
            SIGNALS = lookup.findVarHandle(PeerConnection.class, "signals", int.class);
            ABANDONED_HALVES = lookup.findVarHandle(PeerConnection.class, "abandonedHalves", int.class);
            LEFT = lookup.findVarHandle(PeerConnection.class, "left", boolean.class);
            BARRIER = lookup.findVarHandle(PeerConnection.class, "barrier", Barrier.class);
            TAIL = lookup.findVarHandle(PeerConnection.class, "tail", Tail.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Of an incoming stream that is read without regard to earlier ones. */
    public static final long UNORDERED = 0;

    /** What the stream to the other node may still carry, and the thread that writes it. */
    public enum Tail {
        /** Everything; the ring accepts claims. */
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

    /** Where this node's barrier is. */
    enum Barrier {
        /** None is outstanding, or the last one is in the stream. */
        WRITTEN,
        /** One is to be written. */
        REQUESTED,
        /** A thread writes it. */
        WRITING
    }

    /** What the connection needs of the engine. */
    public interface Owner {
        void flowControlPosted(PeerConnection connection);

        void signalsReceived(PeerConnection connection, int signals);

        void protocolError(PeerConnection connection, String what);

        void released(PeerConnection connection);

        boolean hasRequests(PeerConnection connection);

        /** A count that changes when any message is handled. The control thread. */
        long handledMark();
    }

    private final Owner owner;
    private final long windowBytes;
    private final long stepBytes;
    private final ConnectionLife life;

    private volatile boolean left; // the thread that removes it from the table (CAS)
    private volatile boolean announced; // under the life's monitor
    private volatile long announcedNs; // the same
    private volatile long incomingNumber = UNORDERED; // the same
    private volatile long peerIncarnation; // under the life's monitor
    private volatile long processed; // bytes handled: every reader
    private volatile long handledEven; // bytes of messages of even epochs that handlers have finished: the same
    private volatile long handledOdd; // of odd epochs: the same
    private volatile long confirmedSteps; // readers, by CAS
    private volatile int largestBytes; // of the messages sent: senders, by CAS
    private volatile int steps; // confirmations not sent yet: readers add, the transport removes
    private volatile int signals; // not sent yet: the control thread adds, the transport removes
    private volatile int abandonedHalves; // the thread that abandons a request adds
    private volatile boolean handlerWaiting; // message handlers that wait for it to be opened
    private volatile @Nullable Exception connectFailure; // the connect job
    private volatile PeerConnection predecessor; // the connection manager's monitor
    private @Nullable PeerConnection nextUnreported; // the connection manager
    private long unreportedBytes; // the same
    private volatile Barrier barrier = Barrier.WRITTEN; // the control thread, and streaming threads by CAS
    private volatile boolean barrierPassed; // the transport sets it, the control thread clears it
    private volatile Tail tail = Tail.OPEN; // the control thread, and senders of responses by CAS
    private volatile boolean readingRefused; // the thread that reads the connection
    private int loneWrites; // of this tick; any sender, a race only shifts the limit
    private long loneWritesNs; // the same
    private int lastUsed; // control ticks; any sender, a race loses nothing
    // At the last search for the least recently used; the connection manager's monitor.
    private long bytesReceivedBefore;

    private final ReentrantLock changing = new ReentrantLock();
    private final Condition changed = changing.newCondition();

    /** Held by the one of the blocked senders that polls for room: see {@code BackPressure}. */
    private final ReentrantLock gate = new ReentrantLock();

    /** The stream, for the message creation coordinator alone. */
    private final IncomingStream stream;

    /** Bytes that arrived: the transport's receiving thread of this connection. */
    private final Counter bytesReceived = new Counter();

    /**
     * Buffers of this connection that the coordinator has not finished: guarded by its atomicity.
     */
    private final AtomicInteger queuedBuffers = new AtomicInteger();

    /**
     * Batches of responses: the coordinator adds before it has finished their buffer,
     * handlers subtract.
     */
    private final AtomicInteger unhandledResponses = new AtomicInteger();

    public PeerConnection(
            int nodeId,
            OutgoingRingBuffer ring,
            long windowBytes,
            long stepBytes,
            long closeTimeoutNs,
            PeerConnection predecessor,
            IncomingStream stream,
            Owner owner) {
        super(nodeId, ring);
        this.windowBytes = windowBytes;
        this.stepBytes = stepBytes;
        this.life = new ConnectionLife(closeTimeoutNs);
        this.predecessor = predecessor;
        this.stream = stream;
        this.owner = owner;
        ring.close();
    }

    /**
     * The same in every run, so that sets have the same order: a simulated schedule
     * repeats from its seed. Equality is identity.
     */
    @Override
    public int hashCode() {
        return nodeId();
    }

    // ---------------------------------------------------------------- life

    public ConnectionLife life() {
        return life;
    }

    @Override
    public boolean isOpen() {
        return life.isOpen() && !left;
    }

    /** Whether messages may be claimed; also while it ends, until its handover. */
    public boolean isOutReady() {
        return life.isOutgoingOpen();
    }

    /** Whether it ended, and what was committed before may not have been handled. */
    public boolean isLost() {
        return life.isEnded() && !life.isDelivered();
    }

    /** The stream to the other node may be used; false when the connection has ended meanwhile. */
    public boolean outgoingOpened() {
        // With the ring: nothing is claimed in one whose memory may serve another connection.
        synchronized (life) {
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

    /** {@return true for the first caller, which removes the connection from the table} */
    public boolean leave() {
        return LEFT.compareAndSet(this, false, true);
    }

    public boolean hasLeft() {
        return left;
    }

    /** True for the first caller, unless the connection has ended. Under the life's monitor. */
    public boolean announce(long nowNs) {
        if (announced || life.isEnded()) {
            return false;
        }
        announcedNs = nowNs;
        announced = true;
        return true;
    }

    public long announcedNs() {
        return announcedNs;
    }

    public boolean wasAnnounced() {
        return announced;
    }

    public long peerIncarnation() {
        return peerIncarnation;
    }

    public void peerIncarnation(long value) {
        peerIncarnation = value;
    }

    public void handlerWaits() {
        if (!handlerWaiting) {
            handlerWaiting = true;
        }
    }

    public boolean isHandlerWaiting() {
        return handlerWaiting;
    }

    public void connectFailure(@Nullable Exception failure) {
        connectFailure = failure;
    }

    public @Nullable Exception connectFailure() {
        return connectFailure;
    }

    /** The connection to the same node before this one, as long as it matters. */
    public PeerConnection predecessor() {
        return predecessor;
    }

    public void predecessor(PeerConnection connection) {
        predecessor = connection;
    }

    /** {@return the next one whose end is to be reported again} The connection manager. */
    public @Nullable PeerConnection nextUnreported() {
        return nextUnreported;
    }

    public void nextUnreported(@Nullable PeerConnection connection) {
        nextUnreported = connection;
    }

    /** {@return the bytes that were unconfirmed at its end, which is to be reported again} */
    public long unreportedBytes() {
        return unreportedBytes;
    }

    public void unreportedBytes(long bytes) {
        unreportedBytes = bytes;
    }

    /** Ends the waits in {@link #awaitChange}. */
    public void signalChange() {
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
     * @param isOfUse whether there is still something to wait for: checked
     *     where no signal is missed
     */
    public void awaitChange(Predicate<PeerConnection> isOfUse, long timeoutNs) throws InterruptedException {
        changing.lock();
        try {
            if (isOfUse.test(this) && life.isOpening()) {
                changed.awaitNanos(timeoutNs);
            }
        } finally {
            changing.unlock();
        }
    }

    public Tail tail() {
        return tail;
    }

    public void tail(Tail next) {
        tail = next;
    }

    public boolean tail(Tail expected, Tail next) {
        return TAIL.compareAndSet(this, expected, next);
    }

    /**
     * Whether the ring is locked for good, so that messages use the successor's ring,
     * and responses use {@link #tryLock}.
     */
    public boolean isHandedOver() {
        return tail != Tail.OPEN;
    }

    /**
     * Locks the stream for a message that is written in regions. It acquires the ring's lock,
     * or the one among responses when the ring is locked for good. Any thread.
     */
    public boolean tryLock(boolean isResponse) {
        return tail == Tail.OPEN ? ring().tryLock() : isResponse && tail(Tail.RESPONSES, Tail.RESPONDING);
    }

    /** The thread that {@link #tryLock} returned true to. */
    public void unlock() {
        if (!tail(Tail.RESPONDING, Tail.RESPONSES)) {
            ring().unlock();
        }
    }

    /**
     * Whether the ring's memory may serve another connection, as far as producers are
     * concerned. After the end, control thread.
     */
    public boolean isRingQuiescent() {
        Tail held = tail;
        if (held != Tail.OPEN && held != Tail.RESPONDING && tail(held, Tail.OPEN)) {
            ring().unlock(); // it is closed by now: this admits no producer
        }
        return ring().isQuiescent();
    }

    @Override
    public void released() {
        owner.released(this);
    }

    /** Whether it is a connection of this engine. */
    public boolean isOf(Owner engine) {
        return owner == engine;
    }

    /** A request was abandoned whose response may still come. Any thread. */
    public void abandoned(int half) {
        ABANDONED_HALVES.getAndBitwiseOr(this, 1 << half);
    }

    /** Whether there are such requests with ids of that half: see {@code RequestMap}. */
    public boolean hasAbandoned(int half) {
        return (abandonedHalves & 1 << half) != 0;
    }

    // ---------------------------------------------------------------- use

    /**
     * Counts as used in a tick of the control thread's clock; false
     * when it was already. Any sender.
     */
    public boolean use(int tick) {
        if (lastUsed == tick) {
            return false;
        }
        lastUsed = tick;
        loneWrites = 0;
        loneWritesNs = 0;
        return true;
    }

    /** What only receives is used too. The search for the least recently used one. */
    public void useIfReceived(int tick) {
        long received = bytesReceived.get();
        if (received != bytesReceivedBefore) {
            bytesReceivedBefore = received;
            lastUsed = tick;
        }
    }

    /** {@return the tick in which it was used last} */
    public int lastUsed() {
        return lastUsed;
    }

    /**
     * Counts a lone message of this tick; false when there were enough of them, or
     * enough time was spent. Any sender.
     */
    public boolean mayWriteLone(int messagesMax, long nsMax) {
        return loneWritesNs < nsMax && loneWrites++ < messagesMax;
    }

    /** Counts the time that was spent on a lone message. Any sender. */
    public void loneWritten(long ns) {
        loneWritesNs += ns;
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
    public long aheadMark() {
        boolean isDone = life.isGoodbyeReached() ? isHandled() : isAllHandled();
        long mark = isDone && !readingRefused ? 0 : owner.handledMark();
        for (PeerConnection before = predecessor; before != null; before = before.predecessor) {
            mark += before.handledMark() + before.sentMark() + before.life.progressSignals();
        }
        return mark;
    }

    @Override
    public long sentMark() {
        return ring().progressMark();
    }

    /**
     * The most bytes sent that the other node may not have handled: it may have confirmed
     * those of one message ahead. A snapshot.
     */
    @Override
    public long unconfirmedBytes() {
        if (life.isDelivered()) {
            return 0;
        }
        long unconfirmed = Math.max(0, ring().unconfirmed(windowBytes));
        return Math.min(ring().claimedBytes(), unconfirmed + largestBytes);
    }

    /** A message of so many bytes is about to be committed. Any thread. */
    public void sending(int bytes) {
        int before = largestBytes;
        while (bytes > before && !LARGEST_BYTES.compareAndSet(this, before, bytes)) {
            before = largestBytes;
        }
    }

    // ---------------------------------------------------------------- barriers

    /** Requests that a barrier be written; there is none outstanding. The control thread. */
    public void requestBarrier() {
        barrierPassed = false;
        barrier = Barrier.REQUESTED;
    }

    /** {@return whether one is requested, and the calling thread is to write it} */
    public boolean beginBarrier() {
        return barrier == Barrier.REQUESTED && BARRIER.compareAndSet(this, Barrier.REQUESTED, Barrier.WRITING);
    }

    /**
     * The thread that {@link #beginBarrier} returned true to has written the barrier, or could not.
     */
    public void endBarrier(boolean isWritten) {
        barrier = isWritten ? Barrier.WRITTEN : Barrier.REQUESTED;
    }

    /** {@return whether the barrier that was requested last is in the stream} */
    public boolean isBarrierWritten() {
        return barrier == Barrier.WRITTEN;
    }

    /** {@return whether the other node has handled all before the last barrier} */
    public boolean isBarrierPassed() {
        return barrierPassed;
    }

    // ---------------------------------------------------------------- signals

    /** Sends signals to the other node. */
    public void signal(int set) {
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
        if ((set & ConnectionLife.PASSED) != 0) {
            barrierPassed = true;
        }
        owner.signalsReceived(this, set);
    }

    public ReentrantLock gate() {
        return gate;
    }

    public Counter bytesReceived() {
        return bytesReceived;
    }

    public AtomicInteger queuedBuffers() {
        return queuedBuffers;
    }

    public AtomicInteger unhandledResponses() {
        return unhandledResponses;
    }

    public IncomingStream stream() {
        return stream;
    }

    /** Bytes that arrived and that the coordinator has not finished; a snapshot. */
    public long queuedBytes() {
        return bytesReceived.get() - stream.finishedBytes();
    }

    // ---------------------------------------------------------------- reading

    /**
     * Whether all that this run of the other node sent on connections that it opened before was
     * read, or is not read any more: what is read of this connection comes after it. Any thread; a
     * snapshot.
     */
    public boolean isNextToRead() {
        for (PeerConnection before = predecessor; before != null; before = before.predecessor) {
            if (before.life.mayBringMessages()
                    && before.peerIncarnation == peerIncarnation
                    && before.incomingNumber < incomingNumber) {
                return false;
            }
        }
        return true;
    }

    /**
     * Sets when the other node opened its direction, compared with its other ones. Where both
     * directions are open from the start, that is not the order of the streams.
     *
     * @param number later ones have higher ones; {@link #UNORDERED}
     */
    public void incomingNumber(long number) {
        incomingNumber = number;
    }

    /**
     * This node does not read what the other node sends, for want of receive memory or of room in
     * its queue: until {@link #readingAccepted}, the connection waits for what the handlers do for
     * others. The thread that reads it.
     */
    public void readingRefused() {
        if (!readingRefused) {
            readingRefused = true;
        }
    }

    /** {@return whether the last attempt to read it was refused} */
    public boolean isReadingRefused() {
        return readingRefused;
    }

    /** This node has read from it. The thread that reads it. */
    public void readingAccepted() {
        if (readingRefused) {
            readingRefused = false;
        }
    }

    // ---------------------------------------------------------------- flow control

    /**
     * Received bytes were handled, or the rest of their message needs room:
     * the sender may send as many more. Any thread.
     */
    public void processed(int bytes) {
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
     * Messages were handled. Any thread.
     *
     * @param epoch theirs
     * @param bytes headers included; negative: a handler's thread subtracts what it is about to
     *     add, because an executor runs the handler
     */
    public void handled(int epoch, int bytes) {
        (epoch == 0 ? HANDLED_EVEN : HANDLED_ODD).getAndAdd(this, (long) bytes);
    }

    /** {@return the bytes of messages of even or odd epochs that were handled, headers included} */
    public long handled(int epoch) {
        return epoch == 0 ? handledEven : handledOdd;
    }

    /**
     * Bytes of a message that were confirmed ahead, because the rest could only come if the window
     * opened, are not handled yet, after all. So what is confirmed is never more than what was
     * handled and one message: {@link #unconfirmedBytes} of the sender counts on that.
     */
    public void takeBack(int bytes) {
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
        // Compared before it counts: positions are modulo 2^48, and a count that
        // wraps them would pass for a small one.
        long bytes = count * stepBytes;
        if (count < 0 || bytes > ring().unconfirmed(windowBytes)) {
            owner.protocolError(this, "it confirmed more bytes than were sent to it");
            return;
        }
        ring().extendWindow(bytes);
    }

    /** Bytes claimed so far; a snapshot. */
    public long bytesSent() {
        return ring().claimedBytes();
    }
}
