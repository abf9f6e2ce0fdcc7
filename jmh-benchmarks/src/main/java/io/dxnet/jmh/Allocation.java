package io.dxnet.jmh;

import java.util.Map;
import org.openjdk.jmh.results.Result;

/** What JMH's {@code GCProfiler} reports of one iteration. */
final class Allocation {
    static final String RATE = "gc.alloc.rate";
    static final String PER_OPERATION = RATE + ".norm";

    private Allocation() {}

    /**
     * Bytes per operation. The profiler leaves this result out where the whole JVM allocated not a
     * single byte in the iteration, and reports a rate of 0 alone.
     *
     * @throws IllegalStateException if the profiler did not measure
     */
    @SuppressWarnings("rawtypes") // as JMH declares it
    static double perOperation(Map<String, Result> results) {
        Result<?> perOperation = results.get(PER_OPERATION);
        if (perOperation != null) {
            return perOperation.getScore();
        }
        Result<?> rate = results.get(RATE);
        if (rate == null || rate.getScore() != 0) {
            throw new IllegalStateException(
                    "JMH measured no allocation: this JVM does not count the bytes that its threads allocate");
        }
        return 0;
    }
}
