package io.dxnet.contract;

import io.dxnet.DXNet;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** What the threads of a node use of the processor. */
public final class CpuTime {
    private CpuTime() {}

    /** So far, nanoseconds. */
    public static long ofThreads(DXNet net) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long ns = 0;
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().startsWith("dxnet-" + net.nodeId() + "-")) {
                ns += Math.max(0, threads.getThreadCpuTime(thread.threadId()));
            }
        }
        return ns;
    }

    /** The share of one core, in percent, from now on for a time. */
    public static double percent(DXNet net, Duration time) {
        long cpuNs = ofThreads(net);
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < time.toNanos()) {
            LockSupport.parkNanos(time.toNanos()); // what is measured is this time
        }
        return 100.0 * (ofThreads(net) - cpuNs) / (System.nanoTime() - startNs);
    }
}
