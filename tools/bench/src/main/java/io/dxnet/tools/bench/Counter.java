package io.dxnet.tools.bench;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A count that one thread adds to and any thread reads, alone on its cache lines. */
final class Counter {
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final int PADDING = 16;

    private final long[] padded = new long[2 * PADDING + 1];

    /** By the owning thread alone. */
    void increment() {
        LONGS.setRelease(padded, PADDING, padded[PADDING] + 1);
    }

    /** By any thread. */
    long get() {
        return (long) LONGS.getAcquire(padded, PADDING);
    }
}
