package io.dxnet.tools.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;

/** This process's heap. */
final class Heap {
    /** Distinguishes this process from others, also from those on other machines. */
    static final long PROCESS = new SecureRandom().nextLong();

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Heap() {}

    /** Bytes allocated by all threads, ended ones included, since the process started. */
    static long allocatedBytes() {
        return THREADS.getTotalThreadAllocatedBytes();
    }
}
