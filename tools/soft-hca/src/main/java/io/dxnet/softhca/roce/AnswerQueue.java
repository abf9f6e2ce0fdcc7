package io.dxnet.softhca.roce;

/**
 * The answers to reads and atomic operations that are still to be sent, in order, and the requests
 * that they belong to, for repetition. Both are bounded.
 */
final class AnswerQueue {
    private final int pendingMax;
    private final long[] next;
    private final long[] end;
    private final long[] address;
    private final int[] key;
    private final long[] bytes;
    private final boolean[] isAtomic;
    private int head;
    private int count;

    /** The last requests that were executed: a ring. */
    private final long[] doneFirst;

    private final long[] doneEnd;
    private final long[] doneAddress;
    private final int[] doneKey;
    private final long[] doneBytes;
    private final boolean[] doneAtomic;
    private long done;

    /** @param maxReads how many requests a requester may have outstanding */
    AnswerQueue(int maxReads) {
        int size = Math.max(1, maxReads);
        pendingMax = 2 * size;
        next = new long[pendingMax];
        end = new long[pendingMax];
        address = new long[pendingMax];
        key = new int[pendingMax];
        bytes = new long[pendingMax];
        isAtomic = new boolean[pendingMax];
        doneFirst = new long[size];
        doneEnd = new long[size];
        doneAddress = new long[size];
        doneKey = new int[size];
        doneBytes = new long[size];
        doneAtomic = new boolean[size];
    }

    boolean isEmpty() {
        return count == 0;
    }

    boolean isFull() {
        return count == pendingMax;
    }

    /** Remembers a read that was accepted, and queues its answer. */
    void addRead(long psn, long packets, long at, int rkey, long length) {
        remember(psn, psn + packets, at, rkey, length, false);
        queue(psn, psn + packets, at, rkey, length, false);
    }

    /** Remembers what an atomic operation found, and queues it. */
    void addAtomic(long psn, long found) {
        remember(psn, psn + 1, found, 0, 0, true);
        queue(psn, psn + 1, found, 0, 0, true);
    }

    private void remember(long psn, long psnEnd, long at, int rkey, long length, boolean atomic) {
        int slot = (int) (done++ % doneFirst.length);
        doneFirst[slot] = psn;
        doneEnd[slot] = psnEnd;
        doneAddress[slot] = at;
        doneKey[slot] = rkey;
        doneBytes[slot] = length;
        doneAtomic[slot] = atomic;
    }

    private void queue(long psn, long psnEnd, long at, int rkey, long length, boolean atomic) {
        int slot = (head + count++) % pendingMax;
        next[slot] = psn;
        end[slot] = psnEnd;
        address[slot] = at;
        key[slot] = rkey;
        bytes[slot] = length;
        isAtomic[slot] = atomic;
    }

    /**
     * Queues the answer to a read again, from {@code psn} on, if it is the
     * part of one that was executed.
     */
    void repeatRead(long psn, int pathMtu, long at, int rkey, long length) {
        for (int slot = 0; slot < doneFirst.length && slot < done; slot++) {
            long offset = (psn - doneFirst[slot]) * pathMtu;
            if (!doneAtomic[slot] && psn >= doneFirst[slot] && psn < doneEnd[slot]) {
                boolean fits =
                        rkey == doneKey[slot] && at == doneAddress[slot] + offset && length == doneBytes[slot] - offset;
                if (fits && !isFull()) {
                    queue(psn, doneEnd[slot], at, rkey, length, false);
                }
                return;
            }
        }
    }

    /** Queues again what the atomic operation of this number found. */
    void repeatAtomic(long psn) {
        for (int slot = 0; slot < doneFirst.length && slot < done; slot++) {
            if (doneAtomic[slot] && doneFirst[slot] == psn) {
                if (!isFull()) {
                    queue(psn, psn + 1, doneAddress[slot], 0, 0, true);
                }
                return;
            }
        }
    }

    boolean isAtomic() {
        return isAtomic[head];
    }

    long psn() {
        return next[head];
    }

    boolean isLastPacket() {
        return next[head] + 1 == end[head];
    }

    /** The address of what is to be sent next, or what an atomic operation found. */
    long address() {
        return address[head];
    }

    int key() {
        return key[head];
    }

    /** The bytes of the oldest answer that are not sent. */
    long bytes() {
        return bytes[head];
    }

    /** A packet of the oldest answer was sent. */
    void sent(int payload) {
        next[head]++;
        address[head] += payload;
        bytes[head] -= payload;
        if (next[head] == end[head]) {
            head = (head + 1) % pendingMax;
            count--;
        }
    }

    void clear() {
        count = 0;
    }
}
