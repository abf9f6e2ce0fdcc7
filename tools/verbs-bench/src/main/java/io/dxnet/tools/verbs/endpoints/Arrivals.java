package io.dxnet.tools.verbs.endpoints;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the writes with immediate data that came for
 * each thread, from each side. Any thread may call.
 */
final class Arrivals {
    private static final int PAD = 8;
    private static final int SIDES = 2;

    private final AtomicLongArray counts;

    Arrivals(int threads) {
        counts = new AtomicLongArray(threads * SIDES * PAD);
    }

    /** The immediate data of a write: the thread and the side that it is for. */
    static int immediate(int thread, int side) {
        return thread * SIDES + side;
    }

    void add(int immediate) {
        counts.getAndIncrement(immediate * PAD);
    }

    long count(int thread, int side) {
        return counts.get(immediate(thread, side) * PAD);
    }
}
