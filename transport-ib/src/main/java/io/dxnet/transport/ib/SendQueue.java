package io.dxnet.transport.ib;

import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.Connection;
import io.dxnet.transport.connection.SendLock;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The send queue of one connection (Ibdxnet §7.2.3, §8.2): posts the ring's committed region
 * [posted, committed) as a chain of work requests with one call, straight from the registered ring,
 * and accounts for their completions exactly.
 *
 * <p>The holder of the send lock posts: the sending agent or an application thread (send by
 * caller). The thread that polls the endpoint's completion queue completes. The two share two
 * counters: requests posted, requests completed.
 *
 * <p>Performance sketch, a chain of n requests: 1 CAS for the lock, n x (128 + 16 bytes written,
 * two cache lines each), one call, one completion (48 bytes read), two counters. A lone message of
 * 74 bytes: three cache lines written, one call.
 *
 * <p>The last request of a chain is signaled, the others complete silently with it. A signaled
 * request leaves a note of how many bytes and requests its completion stands for, in a ring of
 * notes that is as long as the queue.
 *
 * <p>With {@code ib.security=aes-gcm}, the requests post what {@link SendStaging} has encrypted of
 * the region; everything else is the same.
 */
final class SendQueue {
    /** Requests of one chain: at 64 KiB each, a megabyte for one call. */
    static final int CHAIN_MAX = 16;
    /**
     * Entries that data leaves free, so that a confirmation or a signal finds room in a queue full
     * of data.
     */
    private static final int RESERVED = 2;

    private static final int BYTES_BITS = 32;
    private static final VarHandle NOTED;

    static {
        try {
            NOTED = MethodHandles.lookup().findVarHandle(SendQueue.class, "noted", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What a turn did. */
    enum Turn {
        /** There was nothing to send. */
        NOTHING,
        /** All that there was is posted. */
        ALL,
        /** Something was posted, and there is more. */
        MORE,
        /** The send queue is full: there will be a completion. */
        FULL,
        /**
         * The device accepted less than its queue has room for, and no completion is under
         * way: retry.
         */
        REFUSED,
        /** Another thread is posting; it checks the ring after that, and may miss what is new. */
        BUSY,
        /** Nothing is posted any more. */
        OVER
    }

    private final Connection connection;
    private final OutgoingRingBuffer ring;
    private final QueuePair queuePair;
    private final MemoryRegion region;
    private final SendChain chain;
    private final int[] requestBytes; // of the chain's requests; the holder
    private final int depth;
    private final int requestBytesMax;
    private final long requestId;
    private final int ownNodeId;
    private final SendStaging staging; // null: nothing is encrypted
    private final AtomicInteger outstanding; // of all queues of the endpoint: signaled requests under way
    private final long[] notes; // requests and bytes of a signaled request
    private final int notesMask;
    private final SendLock lock = new SendLock();

    // The holder of the lock:
    private int posted;
    private int carriedRequests; // posted since the last signaled request
    private int carriedBytes;
    private volatile long left; // the posted position when the lock was given back

    private volatile int noted; // signaled requests posted; the holder
    private volatile int completed; // requests completed; the polling thread
    private volatile int read; // notes read; the polling thread

    /**
     * For a queue pair that may send.
     *
     * @param connection whose ring is sent
     * @param queuePair in state RTS
     * @param region the ring's memory, registered
     * @param depth entries of the queue pair's send queue
     * @param requestBytesMax the most content of a message that the other node receives
     * @param staging for messages that are encrypted; null: they are not
     * @param requestId what the completions carry
     * @param ownNodeId carried by each message
     * @param outstanding counts the endpoint's signaled requests under way
     */
    SendQueue(
            Connection connection,
            QueuePair queuePair,
            MemoryRegion region,
            int depth,
            int requestBytesMax,
            SendStaging staging,
            long requestId,
            int ownNodeId,
            AtomicInteger outstanding) {
        this.connection = connection;
        this.ring = connection.ring();
        this.queuePair = queuePair;
        this.region = region;
        this.depth = depth;
        this.requestBytesMax = requestBytesMax;
        this.staging = staging;
        this.requestId = requestId;
        this.ownNodeId = ownNodeId;
        this.outstanding = outstanding;
        int chainMax = Math.min(CHAIN_MAX, depth);
        this.chain = new SendChain(chainMax, 2);
        this.requestBytes = new int[chainMax];
        this.notes = new long[Integer.highestOneBit(depth) << 1];
        this.notesMask = notes.length - 1;
    }

    /**
     * Posts what there is, at most one chain. Any thread; never waits.
     *
     * @return what it did
     */
    Turn send() {
        if (!lock.tryAcquire()) {
            return lock.isSealed() ? Turn.OVER : Turn.BUSY;
        }
        try {
            return post();
        } finally {
            left = ring.postedPosition();
            lock.release();
        }
    }

    /**
     * Returns whether data was committed that the last holder of the lock did not see, as far as
     * the calling thread sees it: a thread that found the lock held posts as well. Any thread.
     */
    boolean hasNew() {
        return ring.committedPosition() != left;
    }

    private Turn post() {
        if (staging != null && staging.waiting() > 0) {
            Turn turn = postStaged();
            return turn == Turn.ALL ? Turn.MORE : turn; // there may be something to confirm
        }
        int room = depth - (posted - completed);
        int readable = ring.readable();
        int steps = connection.takeFlowControl(ImmediateData.STEPS_MAX);
        int signals = connection.takeSignals();
        boolean control = steps > 0 || signals != 0;
        if (readable == 0 && !control) {
            return Turn.NOTHING;
        }
        int dataRoom = room - RESERVED;
        if (control && room == 0 || !control && dataRoom <= 0) {
            returnControl(steps, signals);
            return Turn.FULL;
        }
        int requests = Math.min(chain.capacity(), dataRoom);
        long position = ring.postedPosition();
        int first = ImmediateData.of(ownNodeId, steps, signals);
        int others = ImmediateData.of(ownNodeId, 0, 0);
        if (staging != null) {
            encrypt(requests, readable, first, others);
            return orMore(postStaged(), steps);
        }
        int unsent = readable;
        chain.clear();
        while (chain.size() < requests && unsent > 0) {
            int bytes = Math.min(unsent, requestBytesMax);
            requestBytes[chain.size()] = bytes;
            chain.sendImmediate(requestId, chain.size() == 0 ? first : others);
            addRegion(ring.offset(position), bytes);
            position += bytes;
            unsent -= bytes;
        }
        if (chain.size() == 0) {
            requestBytes[0] = 0;
            chain.sendImmediate(requestId, first);
        }
        chain.signaled();
        return orMore(postChain(steps, signals), steps);
    }

    /** What one message can't confirm is left for the next one, also where no data follows. */
    private static Turn orMore(Turn turn, int steps) {
        return turn == Turn.ALL && steps == ImmediateData.STEPS_MAX ? Turn.MORE : turn;
    }

    /** Encrypts what a chain has room for. */
    private void encrypt(int requestsMax, int readable, int firstImmediate, int others) {
        int immediate = firstImmediate;
        int unsent = readable;
        while (staging.waiting() < requestsMax && unsent > 0) {
            int bytes = Math.min(unsent, requestBytesMax);
            staging.encrypt(immediate, ring.postedPosition() + (readable - unsent), bytes);
            unsent -= bytes;
            immediate = others;
        }
        if (staging.waiting() == 0) {
            staging.encrypt(immediate, ring.postedPosition(), 0);
        }
    }

    /** Posts what is encrypted; what it confirms and signals is a part of that, and stays so. */
    private Turn postStaged() {
        chain.clear();
        staging.addTo(chain, requestId, requestBytes);
        chain.signaled();
        return postChain(0, 0);
    }

    private void returnControl(int steps, int signals) {
        connection.returnFlowControl(steps);
        if (signals != 0) {
            connection.returnSignals(signals);
        }
    }

    private void addRegion(int offset, int bytes) {
        int contiguous = Math.min(bytes, ring.capacity() - offset);
        chain.sge(region, offset, contiguous);
        if (contiguous < bytes) {
            chain.sge(region, 0, bytes - contiguous);
        }
    }

    private Turn postChain(int steps, int signals) {
        int requests = chain.size();
        // The note is there before the completion can be.
        int bytes = carriedBytes;
        for (int i = 0; i < requests; i++) {
            bytes += requestBytes[i];
        }
        notes[noted & notesMask] = (long) (carriedRequests + requests) << BYTES_BITS | bytes;
        note(1);
        int accepted;
        try {
            accepted = queuePair.postSend(chain);
        } catch (VerbsException | IllegalStateException e) {
            // Nothing of the chain will be confirmed, whatever the device
            // accepted: the connection ends.
            note(-1);
            returnControl(steps, signals);
            throw e;
        }
        posted += accepted;
        if (staging != null) {
            staging.accepted(accepted);
        }
        if (accepted < requests) {
            return refused(accepted, steps, signals);
        }
        ring.post(bytes - carriedBytes);
        carriedRequests = 0;
        carriedBytes = 0;
        return ring.readable() > 0 ? Turn.MORE : Turn.ALL;
    }

    /** The device accepted a part of the chain, without its signaled end. */
    private Turn refused(int accepted, int steps, int signals) {
        note(-1); // no completion can have read it: completions arrive in order
        int bytes = 0;
        for (int i = 0; i < accepted; i++) {
            bytes += requestBytes[i];
        }
        ring.post(bytes);
        carriedRequests += accepted;
        carriedBytes += bytes;
        if (accepted == 0) {
            returnControl(steps, signals);
        }
        return isOutstanding() ? Turn.FULL : Turn.REFUSED;
    }

    private void note(int change) {
        NOTED.setRelease(this, noted + change);
        outstanding.addAndGet(change);
    }

    /** Whether a completion is under way; a snapshot. */
    boolean isOutstanding() {
        return (int) NOTED.getAcquire(this) != read;
    }

    /**
     * Whether all that was posted has completed, which the other node's device has received then,
     * and no thread is posting. Any thread; a snapshot.
     */
    boolean isIdle() {
        return !lock.isHeld() && !isOutstanding() && (staging == null || staging.waiting() == 0);
    }

    /**
     * No completion will be polled any more: the queue pair is destroyed. The polling thread,
     * after sealing.
     */
    void forget() {
        int count = (int) NOTED.getAcquire(this);
        outstanding.addAndGet(read - count);
        read = count;
    }

    /** A signaled request completed: frees the ring up to its end. The polling thread. */
    void completed() {
        int count = (int) NOTED.getAcquire(this);
        if (read == count) {
            throw new IllegalStateException(
                    "a completion without a request: " + connection + ", " + count + " requests were signaled");
        }
        long note = notes[read & notesMask];
        outstanding.decrementAndGet();
        int bytes = (int) note;
        if (bytes > 0) {
            ring.confirm(bytes);
        }
        // Volatile: the polling thread then checks whether a sender reported that it
        // is stalled; a sender that reports so checks this counter after that. One
        // of the two has to see the other.
        completed += (int) (note >>> BYTES_BITS);
        read++;
    }

    /**
     * Ends posting, and waits for a thread that is posting right now: the time of one call.
     * Any thread.
     */
    void seal() {
        lock.seal();
        lock.awaitRelease();
    }
}
