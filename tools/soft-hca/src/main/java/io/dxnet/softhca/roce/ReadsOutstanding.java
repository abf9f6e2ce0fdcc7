package io.dxnet.softhca.roce;

/** The requests of reads and atomic operations without answer: where the numbers of each end. */
final class ReadsOutstanding {
    static final int CAPACITY = 128;
    private static final int MASK = CAPACITY - 1;

    private final long[] ends = new long[CAPACITY];
    private int head;
    private int count;

    int count() {
        return count;
    }

    void add(long end) {
        ends[head + count & MASK] = end;
        count++;
    }

    void removeUpTo(long psn) {
        while (count > 0 && ends[head & MASK] <= psn) {
            head++;
            count--;
        }
    }

    void clear() {
        count = 0;
    }
}
