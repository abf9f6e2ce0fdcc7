package io.dxnet.tools.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import org.HdrHistogram.Histogram;

/**
 * Times of a closed loop, round trips or single operations, microseconds.
 *
 * @param avg average
 * @param p50 50th percentile
 * @param p90 90th percentile
 * @param p95 95th percentile
 * @param p99 99th percentile
 * @param p999 99.9th percentile
 * @param max the longest
 */
public record Rtt(double avg, double p50, double p90, double p95, double p99, double p999, double max) {
    /**
     * Reads a histogram.
     *
     * @param ns of nanoseconds
     * @return its values
     */
    public static Rtt of(Histogram ns) {
        return new Rtt(
                ns.getMean() / 1e3,
                ns.getValueAtPercentile(50) / 1e3,
                ns.getValueAtPercentile(90) / 1e3,
                ns.getValueAtPercentile(95) / 1e3,
                ns.getValueAtPercentile(99) / 1e3,
                ns.getValueAtPercentile(99.9) / 1e3,
                ns.getMaxValue() / 1e3);
    }

    /**
     * The smallest (or largest) value of each column.
     *
     * @param runs at least one
     * @param minOrMax {@code Math::min} or {@code Math::max}
     * @return a row of which each column may come from another run
     */
    public static Rtt combine(List<Rtt> runs, DoubleBinaryOperator minOrMax) {
        Rtt result = runs.getFirst();
        for (Rtt run : runs) {
            result = new Rtt(
                    minOrMax.applyAsDouble(result.avg, run.avg),
                    minOrMax.applyAsDouble(result.p50, run.p50),
                    minOrMax.applyAsDouble(result.p90, run.p90),
                    minOrMax.applyAsDouble(result.p95, run.p95),
                    minOrMax.applyAsDouble(result.p99, run.p99),
                    minOrMax.applyAsDouble(result.p999, run.p999),
                    minOrMax.applyAsDouble(result.max, run.max));
        }
        return result;
    }

    /**
     * As an object for {@link Json}.
     *
     * @return the columns by name
     */
    public Map<String, Object> toMap() {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("avg", avg);
        o.put("p50", p50);
        o.put("p90", p90);
        o.put("p95", p95);
        o.put("p99", p99);
        o.put("p999", p999);
        o.put("max", max);
        return o;
    }
}
