package io.dxnet.jmh;

import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.openjdk.jmh.results.RunResult;

/**
 * What a part of the data path costs beside its floor or peer of the same run, nanoseconds of the
 * fastest iteration of each in all attempts.
 */
final class SpeedRatio {
    private final String what;
    private final String benchmark;
    private final String floor;
    private final double bound;
    private double ns = Double.MAX_VALUE;
    private double floorNs = Double.MAX_VALUE;

    /**
     * Makes one without figures.
     *
     * @param what for the output
     * @param benchmark class and method
     * @param floor class and method of the floor or peer
     * @param bound above it, the benchmark has become slower
     */
    SpeedRatio(String what, String benchmark, String floor, double bound) {
        this.what = what;
        this.benchmark = benchmark;
        this.floor = floor;
        this.bound = bound;
    }

    /** JMH's patterns of both. */
    List<String> patterns() {
        return List.of(pattern(benchmark), pattern(floor));
    }

    private static String pattern(String name) {
        return "\\." + Pattern.quote(name) + "$";
    }

    /** An attempt has ended. */
    void add(Collection<RunResult> results) {
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark();
            double fastest = result.getAggregatedResult()
                    .getPrimaryResult()
                    .getStatistics()
                    .getMin();
            if (name.endsWith("." + benchmark)) {
                add(fastest, Double.MAX_VALUE);
            } else if (name.endsWith("." + floor)) {
                add(Double.MAX_VALUE, fastest);
            }
        }
    }

    void add(double fastestNs, double fastestFloorNs) {
        ns = Math.min(ns, fastestNs);
        floorNs = Math.min(floorNs, fastestFloorNs);
    }

    /** Whether it is within the bound; false where one of the two has no figure. */
    boolean isGood() {
        return ns < Double.MAX_VALUE && floorNs < Double.MAX_VALUE && ratio() <= bound;
    }

    double ratio() {
        return ns / floorNs;
    }

    @Override
    public String toString() {
        return String.format("%-32s %6.2f ns, %6.2f ns: %.2f of at most %.2f", what, ns, floorNs, ratio(), bound);
    }
}
