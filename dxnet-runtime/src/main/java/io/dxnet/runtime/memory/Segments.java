package io.dxnet.runtime.memory;

import java.lang.foreign.MemorySegment;

/** What operations on memory need of a segment and of an offset. */
final class Segments {
    /** A thread that never runs: whether it could access a segment, any thread could. */
    private static final Thread ANY = Thread.ofPlatform().unstarted(() -> {});

    private static final int LONG_MASK = Long.BYTES - 1;

    private Segments() {}

    /** {@return whether any thread may access it} */
    static boolean isShared(MemorySegment segment) {
        return segment.isAccessibleBy(ANY);
    }

    /** {@return whether an atomic of 8 bytes may be at an address or offset} */
    static boolean isAligned(long at) {
        return (at & LONG_MASK) == 0;
    }

    /** {@return the next multiple of 8} */
    static long align(long at) {
        return at + LONG_MASK & ~LONG_MASK;
    }
}
