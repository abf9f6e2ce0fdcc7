package io.dxnet.contract;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.util.function.Predicate;

/** What some threads allocate from now on. */
public final class Allocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] ids;
    private final long[] before;

    private Allocation(long... ids) {
        this.ids = ids;
        THREADS.getThreadAllocatedBytes(ids); // what the first measurement itself allocates is over
        this.before = THREADS.getThreadAllocatedBytes(ids);
    }

    /** Whether this JVM has the compiler that removes objects which do not escape. */
    static boolean isOptimized() {
        HotSpotDiagnosticMXBean options = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return options.getVMOption("TieredStopAtLevel").getValue().equals("4");
    }

    public static Allocation ofThisThread() {
        return new Allocation(Thread.currentThread().threadId());
    }

    static Allocation ofThreads(Predicate<String> name) {
        return new Allocation(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> name.test(thread.getName()))
                .mapToLong(Thread::threadId)
                .toArray());
    }

    /** Bytes since this object was made; a thread that ended meanwhile counts nothing. */
    public long bytes() {
        long sum = 0;
        for (long bytes : perThread()) {
            sum += bytes;
        }
        return sum;
    }

    private long[] perThread() {
        long[] now = THREADS.getThreadAllocatedBytes(ids);
        for (int i = 0; i < now.length; i++) {
            now[i] = Math.max(0, now[i] - before[i]);
        }
        return now;
    }

    /** Which thread allocated what, for the message of a failed gate. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        long[] bytes = perThread();
        for (int i = 0; i < ids.length; i++) {
            ThreadInfo info = THREADS.getThreadInfo(ids[i]);
            text.append(info == null ? "ended" : info.getThreadName())
                    .append('=')
                    .append(bytes[i])
                    .append(' ');
        }
        return text.toString();
    }
}
