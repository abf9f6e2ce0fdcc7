package io.dxnet.softhca;

import java.util.ArrayDeque;

/**
 * Holds posted receives in order: a queue pair's own, or those that several
 * share. Any thread posts, any responder removes. Requesters that found the queue
 * empty wait here; a post resumes them in the order in which they came.
 */
final class ReceiveQueue {
    private static final long SLOT_WR_ID = 0;
    private static final long SLOT_NUM_SGE = 8;
    private static final long SLOT_SGES = 16;

    private final SpinLock lock = new SpinLock();
    private final ArrayDeque<SoftQueuePair> waiters = new ArrayDeque<>();
    private final int maxSge;
    private final long stride;

    /** All below is guarded by the lock. */
    private long ring;

    private int capacity;
    private long head;
    private long tail;

    /** An event is due when fewer than so many are left; 0 for none. */
    private int limit;

    private boolean closed;

    /** @param maxWr how many fit; rounded up to a power of two */
    ReceiveQueue(int maxWr, int maxSge) {
        this.maxSge = maxSge;
        this.stride = SLOT_SGES + maxSge * Offsets.SGE_SIZE;
        this.capacity = roundUp(maxWr);
        this.ring = LibC.calloc(Math.max(1, capacity) * stride);
    }

    private static int roundUp(int count) {
        return count <= 1 ? count : Integer.highestOneBit(count - 1) << 1;
    }

    int capacity() {
        return capacity;
    }

    int maxSge() {
        return maxSge;
    }

    /**
     * Posts a chain of {@code ibv_recv_wr}. Where one is refused, those
     * before it are posted and it is stored to {@code badWr}.
     *
     * @return 0, {@code EINVAL} or {@code ENOMEM}
     */
    int post(long chain, long badWr) {
        boolean wake;
        int error = 0;
        lock.lock();
        try {
            long wr = chain;
            for (; wr != 0; wr = Memory.getLong(wr + Offsets.RECV_NEXT)) {
                int count = Memory.getInt(wr + Offsets.RECV_NUM_SGE);
                if (closed || count < 0 || count > maxSge) {
                    error = Ibv.EINVAL;
                    break;
                }
                if (tail - head >= capacity) {
                    error = Ibv.ENOMEM;
                    break;
                }
                long slot = slot(tail);
                Memory.putLong(slot + SLOT_WR_ID, Memory.getLong(wr + Offsets.RECV_WR_ID));
                Memory.putLong(slot + SLOT_NUM_SGE, count);
                copySges(Memory.getLong(wr + Offsets.RECV_SG_LIST), slot + SLOT_SGES, count);
                tail++;
            }
            if (error != 0 && badWr != 0) {
                Memory.putLong(badWr, wr);
            }
            wake = !waiters.isEmpty();
        } finally {
            lock.unlock();
        }
        if (wake) {
            resumeWaiters();
        }
        return error;
    }

    private long slot(long position) {
        return ring + (position & (capacity - 1)) * stride;
    }

    private static void copySges(long from, long to, int count) {
        if (count == 1) {
            Memory.putLong(to, Memory.getLong(from));
            Memory.putLong(to + 8, Memory.getLong(from + 8));
        } else if (count > 1) {
            Memory.copy(from, to, count * Offsets.SGE_SIZE);
        }
    }

    /**
     * Removes the oldest receive.
     *
     * @param into gets a copy of it
     * @param waiter waits here if there is none; may be null
     * @return whether there was one
     */
    boolean take(Receive into, SoftQueuePair waiter) {
        lock.lock();
        try {
            if (head == tail) {
                if (waiter != null && waiter.sends().startWaiting(this)) {
                    waiters.add(waiter);
                }
                return false;
            }
            long slot = slot(head);
            int count = (int) Memory.getLong(slot + SLOT_NUM_SGE);
            copySges(slot + SLOT_SGES, into.room(), count);
            into.set(Memory.getLong(slot + SLOT_WR_ID), count);
            head++;
            if (tail - head < limit) {
                limit = 0;
                into.setLimitReached();
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Resumes the requesters that wait here while
     * receives are left. Called without locks of queues.
     */
    private void resumeWaiters() {
        while (true) {
            SoftQueuePair waiter;
            lock.lock();
            try {
                if (head == tail || waiters.isEmpty()) {
                    return;
                }
                waiter = waiters.poll();
                waiter.sends().stopWaiting();
            } finally {
                lock.unlock();
            }
            waiter.sends().progress();
        }
    }

    /** A requester does not wait any more. */
    void forget(SoftQueuePair waiter) {
        lock.lock();
        try {
            if (waiters.remove(waiter)) {
                waiter.sends().stopWaiting();
            }
        } finally {
            lock.unlock();
        }
    }

    int limit() {
        lock.lock();
        try {
            return limit;
        } finally {
            lock.unlock();
        }
    }

    void arm(int newLimit) {
        lock.lock();
        try {
            VerbError.require(newLimit >= 0 && newLimit <= capacity);
            limit = newLimit;
        } finally {
            lock.unlock();
        }
    }

    /** Changes how many fit; fails with {@code EINVAL} where what is posted does not. */
    void resize(int maxWr) {
        lock.lock();
        try {
            int newCapacity = roundUp(maxWr);
            int count = (int) (tail - head);
            VerbError.require(newCapacity >= count);
            long newRing = LibC.calloc(newCapacity * stride);
            for (int i = 0; i < count; i++) {
                Memory.copy(slot(head + i), newRing + i * stride, stride);
            }
            LibC.free(ring);
            ring = newRing;
            capacity = newCapacity;
            head = 0;
            tail = count;
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what is posted. */
    void clear() {
        lock.lock();
        try {
            head = tail;
        } finally {
            lock.unlock();
        }
    }

    /** Frees the memory; later posts fail. */
    void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                head = tail;
                LibC.free(ring);
            }
        } finally {
            lock.unlock();
        }
    }
}
