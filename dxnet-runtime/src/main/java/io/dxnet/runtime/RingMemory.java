package io.dxnet.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/** The memory of outgoing rings, used again by later connections. Any thread. */
final class RingMemory implements AutoCloseable {
    private static final int PAGE_BYTES = 4096;

    private final Arena arena = Arena.ofShared();
    private final ArrayDeque<MemorySegment> free = new ArrayDeque<>();
    private final int ringBytes;

    RingMemory(int ringBytes) {
        this.ringBytes = ringBytes;
    }

    synchronized MemorySegment take() {
        MemorySegment segment = free.poll();
        return segment != null ? segment : arena.allocate(ringBytes, PAGE_BYTES);
    }

    /** Gives memory back that nobody writes to or reads from any more. */
    synchronized void giveBack(MemorySegment segment) {
        free.push(segment);
    }

    /** Frees all of it; a thread that still writes gets an exception. */
    @Override
    public void close() {
        arena.close();
    }
}
