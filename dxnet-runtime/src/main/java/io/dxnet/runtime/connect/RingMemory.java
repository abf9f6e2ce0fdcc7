package io.dxnet.runtime.connect;

import io.dxnet.transport.idle.IdleStrategies;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The memory of outgoing rings, used again by later connections. Any thread. */
public final class RingMemory {
    private static final int PAGE_BYTES = 4096;
    private static final long RETRY_NS = 1_000_000;

    private final Arena arena = Arena.ofShared();
    private final List<MemorySegment> free = new ArrayList<>(); // where it can't grow, it keeps what it has
    private final int ringBytes;

    public RingMemory(int ringBytes) {
        this.ringBytes = ringBytes;
    }

    synchronized MemorySegment take() {
        return free.isEmpty() ? arena.allocate(ringBytes, PAGE_BYTES) : free.removeLast();
    }

    /** Returns memory that no thread writes to or reads from any more. */
    synchronized void giveBack(MemorySegment segment) {
        free.add(segment);
    }

    /**
     * Frees all of it. A thread that is inside a system call with the memory keeps
     * it for that long: this waits for it.
     *
     * @param timeoutNs the longest wait
     * @return false when the memory is still in use and was not freed
     */
    public boolean tryFree(long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        for (; ; ) {
            try {
                arena.close();
                return true;
            } catch (IllegalStateException e) {
                if (!arena.scope().isAlive()) {
                    return true;
                }
            }
            if (System.nanoTime() - deadlineNs > 0) {
                return false;
            }
            IdleStrategies.park(this, RETRY_NS);
        }
    }
}
