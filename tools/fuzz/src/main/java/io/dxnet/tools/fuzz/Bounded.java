package io.dxnet.tools.fuzz;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** Runs inputs and checks what they allocate. One thread. */
public final class Bounded {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** What loads a class, and has it instrumented, allocates once. */
    private static final int TRIES = 3;

    private final FuzzTarget target;

    /**
     * Bounds one target.
     *
     * @param target whose inputs run through this object
     */
    public Bounded(FuzzTarget target) {
        this.target = target;
    }

    /**
     * Runs an input.
     *
     * @param input any bytes
     * @throws Exception a finding
     */
    public void run(byte[] input) throws Exception {
        long max = target.allocationBytesMax(input.length);
        long bytes = allocatedBy(input);
        for (int i = 1; i < TRIES && bytes > max; i++) {
            bytes = allocatedBy(input);
        }
        if (bytes > max) {
            throw new AssertionError(input.length + " bytes of input allocated " + bytes + " bytes, more than " + max);
        }
    }

    private long allocatedBy(byte[] input) throws Exception {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        target.run(input);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }
}
