package io.dxnet.softhca.roce;

/**
 * The requests in flight: of each, the packet sequence numbers that it stands for. A request that
 * was started keeps its numbers, however often it is sent.
 */
final class Flights {
    /** More than packets are in flight at a time, and a request has one at least. */
    static final int CAPACITY_MAX = 2 * SendWindow.PACKETS_MAX;

    private static final int CAPACITY_FIRST = 32;

    /** Rings, which grow up to {@link #CAPACITY_MAX}. */
    private long[] first = new long[CAPACITY_FIRST];

    private long[] end = new long[CAPACITY_FIRST];
    private RequestKind[] kinds = new RequestKind[CAPACITY_FIRST];
    private long[] lengths = new long[CAPACITY_FIRST];
    private int mask = CAPACITY_FIRST - 1;
    private long head;
    private long started;

    /** The request that was found last: the next number is mostly of it, or of the next one. */
    private long found;

    /** Forgets all, and counts requests from {@code sequence} on. */
    void reset(long sequence) {
        head = sequence;
        started = sequence;
        found = sequence;
    }

    /** The oldest request that is not complete. */
    long head() {
        return head;
    }

    /** The number of the next request to start. */
    long started() {
        return started;
    }

    boolean isEmpty() {
        return head == started;
    }

    boolean isFull() {
        return started - head == CAPACITY_MAX;
    }

    void start(Request request, long psn, long packets) {
        if (started - head > mask) {
            grow();
        }
        int slot = slot(started);
        first[slot] = psn;
        end[slot] = psn + packets;
        kinds[slot] = request.kind;
        lengths[slot] = request.length;
        started++;
    }

    private void grow() {
        int capacity = 2 * (mask + 1);
        long[] newFirst = new long[capacity];
        long[] newEnd = new long[capacity];
        RequestKind[] newKinds = new RequestKind[capacity];
        long[] newLengths = new long[capacity];
        for (long sequence = head; sequence < started; sequence++) {
            int to = (int) sequence & capacity - 1;
            newFirst[to] = first(sequence);
            newEnd[to] = end(sequence);
            newKinds[to] = kind(sequence);
            newLengths[to] = length(sequence);
        }
        first = newFirst;
        end = newEnd;
        kinds = newKinds;
        lengths = newLengths;
        mask = capacity - 1;
    }

    private int slot(long sequence) {
        return (int) sequence & mask;
    }

    void finishHead() {
        head++;
    }

    long first(long sequence) {
        return first[slot(sequence)];
    }

    long end(long sequence) {
        return end[slot(sequence)];
    }

    RequestKind kind(long sequence) {
        return kinds[slot(sequence)];
    }

    long length(long sequence) {
        return lengths[slot(sequence)];
    }

    /** The request that a number in flight belongs to, {@link #started} if it is of none. */
    long with(long psn) {
        if (found < head || found > head && end(found - 1) > psn) {
            found = head;
        }
        while (found < started && end(found) <= psn) {
            found++;
        }
        return found;
    }
}
