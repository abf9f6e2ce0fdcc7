package io.dxnet.softhca.roce;

/**
 * The requests in flight: of each, the packet sequence numbers that it stands for. A request that
 * was started keeps its numbers, however often it is sent.
 */
final class Flights {
    /** More than packets are in flight at a time, and a request has one at least. */
    static final int CAPACITY = 128;

    private static final int MASK = CAPACITY - 1;

    private final long[] first = new long[CAPACITY];
    private final long[] end = new long[CAPACITY];
    private final RequestKind[] kinds = new RequestKind[CAPACITY];
    private final long[] lengths = new long[CAPACITY];
    private long head;
    private long started;

    /** Forgets all, and counts requests from {@code sequence} on. */
    void reset(long sequence) {
        head = sequence;
        started = sequence;
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
        return started - head == CAPACITY;
    }

    void start(Request request, long psn, long packets) {
        int slot = (int) started & MASK;
        first[slot] = psn;
        end[slot] = psn + packets;
        kinds[slot] = request.kind;
        lengths[slot] = request.length;
        started++;
    }

    void finishHead() {
        head++;
    }

    long first(long sequence) {
        return first[(int) sequence & MASK];
    }

    long end(long sequence) {
        return end[(int) sequence & MASK];
    }

    RequestKind kind(long sequence) {
        return kinds[(int) sequence & MASK];
    }

    long length(long sequence) {
        return lengths[(int) sequence & MASK];
    }

    /** The request that a number in flight belongs to, {@link #started} if it is of none. */
    long with(long psn) {
        long sequence = head;
        while (sequence < started && end(sequence) <= psn) {
            sequence++;
        }
        return sequence;
    }
}
