package io.dxnet.tools.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The processor time of this process. */
final class ProcessorTime {
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private ProcessorTime() {}

    /** Nanoseconds of all threads, in user and kernel mode, since the process started. */
    static long nanos() {
        return SYSTEM.getProcessCpuTime();
    }
}
