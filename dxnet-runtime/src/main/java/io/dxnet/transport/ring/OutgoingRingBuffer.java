package io.dxnet.transport.ring;

import static io.dxnet.transport.ring.RingDescriptor.CLOSED;
import static io.dxnet.transport.ring.RingDescriptor.FLAGS;
import static io.dxnet.transport.ring.RingDescriptor.POSITION_MASK;
import static io.dxnet.transport.ring.RingDescriptor.STREAMING;
import static io.dxnet.transport.ring.RingDescriptor.distance;
import static io.dxnet.transport.ring.RingDescriptor.entries;
import static io.dxnet.transport.ring.RingDescriptor.index;
import static io.dxnet.transport.ring.RingDescriptor.pack;
import static io.dxnet.transport.ring.RingDescriptor.position;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The ORB with its catch-up buffer (CUB): a connection's outgoing stream in native memory.
 * Any number of producers write it at once, and one consumer reads it (DXNet §IV).
 *
 * <p>A producer claims a region with one CAS, writes it in place, and commits it with one store:
 * a pending commit in the CUB, the end of its region. The committed front moves only over finished
 * regions. The consumer moves it when it reads, over all pending commits in order, and a producer
 * that finds the CUB full does; so producers share the claim alone, and no thread waits for a
 * slower producer. The order of claims is the order on the wire. A region that reaches the end
 * of the memory continues at its beginning; nothing is padded.
 *
 * <p>The consumer has two positions (Ibdxnet §8.2): what is <em>posted</em> to the device,
 * and what is <em>confirmed</em> and may be overwritten. A claim is allowed when the region
 * is free and when the flow control's window is not used up.
 *
 * <p>Performance sketch, one producer: claim = 4 loads, 1 CAS; commit = 1 store.
 * The consumer: 1 load for each region, 1 CAS for each batch. Cache lines that move between cores:
 * the claim among producers; the CUB, 8 regions a line, to the consumer; the limits back, once for
 * each batch.
 *
 * <p>It has more than 400 lines: one algorithm, which is proved as a whole.
 */
@SuppressWarnings("auxiliaryclass")
public final class OutgoingRingBuffer extends RingPad3 {
    /** What {@link #tryClaim} returns when there is no room, in the ring, the CUB or the window. */
    public static final long FULL = -1;

    /**
     * What {@link #tryClaim} returns when claims are locked: a large message is
     * being streamed, or the ring is closed.
     */
    public static final long LOCKED_OUT = -2;

    private static final VarHandle CLAIM;
    private static final VarHandle COMMITTED;
    private static final VarHandle CONFIRMED;
    private static final VarHandle WINDOW_END;
    private static final VarHandle PENDING_COMMITS = MethodHandles.arrayElementVarHandle(long[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            CLAIM = lookup.findVarHandle(RingClaim.class, "claim", long.class);
            COMMITTED = lookup.findVarHandle(RingCommitted.class, "committed", long.class);
            CONFIRMED = lookup.findVarHandle(RingLimits.class, "confirmed", long.class);
            WINDOW_END = lookup.findVarHandle(RingLimits.class, "windowEnd", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final MemorySegment segment;
    private final int capacity;
    private final long[] pendingCommits;
    private final int pendingCommitsMask;

    /**
     * An empty ring.
     *
     * @param segment its memory, a power of two bytes up to 1 GiB
     * @param commitSlots regions that may be claimed and not committed at once,
     *     a power of two up to 8192
     * @param windowBytes the flow control's window
     */
    public OutgoingRingBuffer(MemorySegment segment, int commitSlots, long windowBytes) {
        this(segment, commitSlots, windowBytes, 0);
    }

    /** For tests: starts elsewhere in the stream, where positions are about to wrap. */
    OutgoingRingBuffer(MemorySegment segment, int commitSlots, long windowBytes, long startPosition) {
        if (Long.bitCount(segment.byteSize()) != 1 || segment.byteSize() > 1 << 30) {
            throw new IllegalArgumentException("ring of " + segment.byteSize() + " bytes: a power of two up to 1 GiB");
        }
        if (Integer.bitCount(commitSlots) != 1 || commitSlots > RingDescriptor.CUB_ENTRIES_MAX) {
            throw new IllegalArgumentException("CUB of " + commitSlots + " entries: a power of two up to 8192");
        }
        this.segment = segment;
        this.capacity = (int) segment.byteSize();
        this.pendingCommits = new long[commitSlots];
        this.pendingCommitsMask = commitSlots - 1;
        long start = startPosition & POSITION_MASK;
        java.util.Arrays.fill(pendingCommits, start);
        this.posted = start;
        this.confirmed = start;
        this.windowEnd = (start + windowBytes) & POSITION_MASK;
        this.committed = pack(0, start);
        this.claim = pack(0, start);
    }

    // ---------------------------------------------------------------- producers

    /**
     * Claims a region. Any thread. What is claimed must be committed, whatever happens.
     *
     * @param bytes its size, 1 to the capacity
     * @param window whether the flow control's window bounds the claim
     * @return the claim, or {@link #FULL} or {@link #LOCKED_OUT}
     */
    public long tryClaim(int bytes, Window window) {
        for (; ; ) {
            long word = lvClaim();
            if ((word & FLAGS) != 0) {
                return LOCKED_OUT;
            }
            if (!hasRoom(word, bytes, window)) {
                if (lvClaim() == word) {
                    return FULL;
                }
                // Other threads claimed, and may even have committed: a comparison
                // with the old word means nothing.
                continue;
            }
            if (casClaim(word, pack(index(word) + 1, position(word) + bytes))) {
                return word;
            }
            Thread.onSpinWait();
        }
    }

    private boolean hasRoom(long word, int bytes, Window window) {
        long start = position(word);
        return distance(start + bytes, lvConfirmed()) <= capacity
                && (window == Window.IGNORED || distance(lvWindowEnd(), start) > 0)
                && (hasSlot(word, lvCommitted()) || hasSlot(word, catchUp()));
    }

    /** Whether the CUB has a slot for the claim: its index differs from those that are in use. */
    private boolean hasSlot(long word, long front) {
        return entries(index(word), index(front)) <= pendingCommitsMask;
    }

    /**
     * {@return whether a message could be claimed now, and a quarter of the ring is free:
     * there is room in the ring, the CUB and the window, and no large message is
     * being streamed} Any thread; a snapshot.
     */
    public boolean isWritable() {
        long word = lvClaim();
        return (word & FLAGS) == 0 && hasRoom(word, capacity / 4, Window.OBSERVED);
    }

    /**
     * Publishes a claimed region to the consumer, which reads it after its predecessors.
     * Never waits, and has no fence. A thread that commits and then reads a flag, and a consumer
     * that changes the flag and then reads the ring, may miss each other's stores; but the
     * consumer does not miss the claim: see {@link #claimedBytes}.
     *
     * @param claim from {@link #tryClaim} or {@link #tryClaimLocked}
     * @param bytes the same size
     */
    public void commit(long claim, int bytes) {
        soPendingCommit(index(claim), (position(claim) + bytes) & POSITION_MASK);
    }

    /**
     * Moves the front over finished regions, and returns it. Any thread: the consumer when it
     * reads, a producer when the CUB is full.
     *
     * <p>A pending commit that is read for a front that has moved on meanwhile may be of a later
     * lap: then the front cannot be set, because it never has the same word again.
     */
    private long catchUp() {
        for (; ; ) {
            // Volatile: a consumer that has just set a flag reads the pending commits after that,
            // and may miss one whose thread has read the flag before: see claimedBytes().
            long front = lvCommitted();
            int index = index(front);
            long position = position(front);
            for (int i = 0; i <= pendingCommitsMask; i++) {
                long end = laPendingCommit(index);
                if (Long.compareUnsigned(distance(end, position) - 1, capacity) >= 0) {
                    // Not behind the position: a pending commit of the lap before. The region is
                    // not finished, or not claimed.
                    break;
                }
                index++;
                position = end;
            }
            long word = pack(index, position);
            if (word == front || casCommitted(front, word)) {
                return word;
            }
        }
    }

    /**
     * Locks claims for one thread, which then streams a message larger than the
     * ring with {@link #tryClaimLocked}, or ends the stream. Regions claimed before
     * are sent before. Any thread.
     *
     * @return false when another thread has locked them, or the ring is closed
     */
    public boolean tryLock() {
        for (; ; ) {
            long word = lvClaim();
            if ((word & FLAGS) != 0) {
                return false;
            }
            if (casClaim(word, word | STREAMING)) {
                return true;
            }
        }
    }

    /**
     * Claims the next region of a stream: as much as there is room for, up to a maximum.
     * Only the thread that holds the lock.
     *
     * @param bytesMax more than 0
     * @param window as in {@link #tryClaim}
     * @return bytes claimed, whose claim {@link #lockedClaim} returns; 0 when there
     *     is no room; -1 when the ring is closed
     */
    public int tryClaimLocked(int bytesMax, Window window) {
        for (; ; ) {
            long word = lvClaim();
            if ((word & CLOSED) != 0) {
                return -1;
            }
            long claimed = word & ~STREAMING;
            if (!hasRoom(claimed, 1, window)) {
                return 0;
            }
            long start = position(claimed);
            int bytes = (int) Math.min(bytesMax, capacity - distance(start, lvConfirmed()));
            if (casClaim(word, pack(index(claimed) + 1, start + bytes) | STREAMING)) {
                lockedClaim = claimed;
                return bytes;
            }
        }
    }

    private long lockedClaim; // the holder of the lock

    /** {@return the region that {@link #tryClaimLocked} claimed last} */
    public long lockedClaim() {
        return lockedClaim;
    }

    /** Unlocks claims, unless the ring was closed. Only the thread that holds the lock. */
    public void unlock() {
        change(STREAMING, 0);
    }

    /** Refuses claims from now on; what was claimed may still be committed. Any thread. */
    public void close() {
        change(0, CLOSED);
    }

    /** Allows claims again. Any thread. */
    public void open() {
        change(CLOSED, 0);
    }

    private void change(long clear, long set) {
        for (; ; ) {
            long word = lvClaim();
            if (casClaim(word, (word & ~clear) | set)) {
                return;
            }
        }
    }

    /**
     * {@return whether the ring is closed and no thread writes to its memory any more} Then the
     * memory may be used for something else, as far as producers are concerned.
     */
    public boolean isQuiescent() {
        long word = lvClaim();
        return (word & FLAGS) == CLOSED && distance(position(word), position(catchUp())) == 0;
    }

    /** {@return the memory, all of it} */
    public MemorySegment segment() {
        return segment;
    }

    /** {@return the size of the memory, bytes} */
    public int capacity() {
        return capacity;
    }

    /**
     * {@return where a claim or a position lies in the memory: an offset in {@link #segment}}
     *
     * @param claimOrPosition a claim, or a position
     */
    public int offset(long claimOrPosition) {
        return (int) claimOrPosition & (capacity - 1);
    }

    /** {@return bytes claimed that the device has not confirmed yet} Any thread; a snapshot. */
    public long pending() {
        return Math.max(0, distance(position(lvClaim()), lvConfirmed()));
    }

    /**
     * {@return whether the device confirmed all that was claimed, so that there
     * is nothing left to send}
     */
    public boolean isDrained() {
        return distance(position(lvClaim()), lvConfirmed()) == 0;
    }

    // ---------------------------------------------------------------- flow control

    /**
     * Opens the window further. One thread at a time.
     *
     * @param bytes that the other node confirmed
     */
    public void extendWindow(long bytes) {
        soWindowEnd((lvWindowEnd() + bytes) & POSITION_MASK);
    }

    /**
     * {@return bytes claimed beyond what the other node confirmed; they may exceed the
     * window by a message} Any thread; a snapshot.
     *
     * @param windowBytes the window
     */
    public long unconfirmed(long windowBytes) {
        return windowBytes - distance(lvWindowEnd(), position(lvClaim()));
    }

    /**
     * {@return bytes claimed since the ring was made, modulo 2^48: where the next claim begins}
     * Any thread; a snapshot. A volatile read: a thread that changes a flag, then calls this,
     * finds the claim of each thread that read the flag unchanged after its claim.
     */
    public long claimedBytes() {
        return position(lvClaim());
    }

    /**
     * {@return a number that changes whenever the device or the other node confirms
     * something} Any thread. Only good for comparing.
     */
    public long progressMark() {
        return lvConfirmed() + lvWindowEnd();
    }

    /**
     * {@return bytes committed that the device has not confirmed} Any thread; a snapshot,
     * for deciding when a batch is worth sending.
     */
    public long backlog() {
        return distance(position(catchUp()), lvConfirmed());
    }

    /**
     * {@return bytes claimed that were not posted} Any thread; a snapshot, for deciding when a
     * batch is worth sending.
     */
    public long unposted() {
        return Math.max(0, distance(position(lvClaim()), posted));
    }

    // -------------------------------------------------------------- consumer: one thread at a time

    /** {@return the committed front, a position: all before it is complete} */
    public long committedPosition() {
        return position(catchUp());
    }

    /** {@return the position up to which data was posted} */
    public long postedPosition() {
        return posted;
    }

    /**
     * {@return whether all regions before a position are committed} Any thread; a snapshot.
     *
     * @param position what {@link #claimedBytes} returned
     */
    public boolean hasCommitted(long position) {
        return distance(committedPosition(), position) >= 0;
    }

    /**
     * {@return whether all before a position was posted} Any thread: old at the worst.
     *
     * @param position what {@link #claimedBytes} returned
     */
    public boolean hasPosted(long position) {
        return distance(posted, position) >= 0;
    }

    /**
     * {@return whether all that is claimed was posted} Any thread; a snapshot, with the volatile
     * read of {@link #claimedBytes}.
     */
    public boolean hasPostedAll() {
        return hasPosted(claimedBytes());
    }

    /** {@return how much is complete and not posted: bytes} */
    public int readable() {
        return (int) distance(committedPosition(), posted);
    }

    /**
     * {@return the first part of {@link #readable} that lies in one piece:
     * bytes from {@code offset(postedPosition())}}
     */
    public int readableContiguous() {
        return Math.min(readable(), capacity - offset(posted));
    }

    /**
     * Moves the posted position.
     *
     * @param bytes handed to the device
     */
    public void post(int bytes) {
        posted = (posted + bytes) & POSITION_MASK;
    }

    /**
     * Frees memory that the device needs no more.
     *
     * @param bytes that the device is done with, in the order in which they were posted
     */
    public void confirm(int bytes) {
        soConfirmed((confirmed + bytes) & POSITION_MASK);
    }

    // ------------------------------------------------------- accessors: lv volatile, la acquire, so release

    private long lvClaim() {
        return (long) CLAIM.getVolatile(this);
    }

    private boolean casClaim(long expected, long word) {
        return CLAIM.compareAndSet(this, expected, word);
    }

    private long lvCommitted() {
        return (long) COMMITTED.getVolatile(this);
    }

    private boolean casCommitted(long expected, long word) {
        return COMMITTED.compareAndSet(this, expected, word);
    }

    private long laPendingCommit(int index) {
        long[] ends = pendingCommits;
        return (long) PENDING_COMMITS.getAcquire(ends, index & ends.length - 1);
    }

    private void soPendingCommit(int index, long end) {
        PENDING_COMMITS.setRelease(pendingCommits, index & pendingCommitsMask, end);
    }

    private long lvConfirmed() {
        return (long) CONFIRMED.getVolatile(this);
    }

    private void soConfirmed(long position) {
        CONFIRMED.setRelease(this, position);
    }

    private long lvWindowEnd() {
        return (long) WINDOW_END.getVolatile(this);
    }

    private void soWindowEnd(long position) {
        WINDOW_END.setRelease(this, position);
    }
}
