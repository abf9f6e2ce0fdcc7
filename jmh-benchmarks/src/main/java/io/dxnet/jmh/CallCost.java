package io.dxnet.jmh;

import org.openjdk.jmh.results.RunResult;

/** What one verb costs through FFM, JNI and C, nanoseconds of the fastest iteration. */
final class CallCost {
    private final String verb;
    private final boolean judged;
    private double ffmNs;
    private double jniNs;
    private double cNs;

    /**
     * Makes one without figures.
     *
     * @param verb and the callee
     * @param judged whether the bounds count for it
     */
    CallCost(String verb, boolean judged) {
        this.verb = verb;
        this.judged = judged;
    }

    CallCost(String verb, double ffmNs, double jniNs, double cNs) {
        this(verb, true);
        this.ffmNs = ffmNs;
        this.jniNs = jniNs;
        this.cNs = cNs;
    }

    void add(RunResult result) {
        double ns =
                result.getAggregatedResult().getPrimaryResult().getStatistics().getMin();
        String benchmark = result.getParams().getBenchmark();
        if (benchmark.endsWith(".ffm")) {
            ffmNs = ns;
        } else if (benchmark.endsWith(".jni")) {
            jniNs = ns;
        } else {
            cNs = ns;
        }
    }

    /** Whether it is within the bounds, or they don't count for it. */
    boolean isGood() {
        return !judged || isCheap();
    }

    boolean isCheap() {
        return ffmNs <= Gate.OF_JNI_MAX * jniNs && scaledAboveCNs() <= Gate.ABOVE_C_NS_MAX;
    }

    /** What it would be above C on the machine that the bound was made on. */
    private double scaledAboveCNs() {
        return (ffmNs - cNs) * Gate.REFERENCE_JNI_NS / jniNs;
    }

    @Override
    public String toString() {
        return String.format(
                "%-6s %-22s FFM %5.2f ns, JNI %5.2f ns, C %5.2f ns: %.2f of JNI, %.2f ns above C (%.2f where JNI takes %.1f)",
                !judged ? "(see)" : isCheap() ? "ok" : "missed",
                verb,
                ffmNs,
                jniNs,
                cNs,
                ffmNs / jniNs,
                ffmNs - cNs,
                scaledAboveCNs(),
                Gate.REFERENCE_JNI_NS);
    }
}
