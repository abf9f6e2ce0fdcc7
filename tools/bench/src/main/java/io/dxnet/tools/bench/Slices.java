package io.dxnet.tools.bench;

/**
 * Where the threads of one node access a region: each has a slice of it, with a slot for each
 * operation that is under way. Slots begin at multiples of 64 bytes: no two share a cache line.
 *
 * @param size of what one operation reads or writes, bytes
 * @param threads of the node
 * @param slots of each thread
 */
record Slices(int size, int threads, int slots) {
    /** The largest region, bytes. */
    static final long BYTES_MAX = 1L << 30;

    private static final int LINE = 64;

    static Slices of(RoundSpec spec) {
        return new Slices(spec.size(), spec.threads(), spec.slots());
    }

    /** Where a slot begins in the region, bytes. */
    long offset(int thread, int slot) {
        return ((long) thread * slots + slot) * slotBytes();
    }

    /** The thread that accesses an offset. */
    int thread(long offset) {
        return (int) (offset / slotBytes() / slots);
    }

    /** The length of the region. */
    long bytes() {
        return offset(threads, 0);
    }

    private long slotBytes() {
        return ((long) size + LINE - 1) / LINE * LINE;
    }
}
