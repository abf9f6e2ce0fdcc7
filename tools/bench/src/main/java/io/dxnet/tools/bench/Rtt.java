package io.dxnet.tools.bench;

import java.util.List;
import java.util.function.DoubleBinaryOperator;
import org.HdrHistogram.Histogram;

/** Round-trip times of a closed loop, microseconds. */
record Rtt(double avg, double p50, double p95, double p99, double p999, double max) {

    static Rtt of(Histogram ns) {
        return new Rtt(
                ns.getMean() / 1e3,
                ns.getValueAtPercentile(50) / 1e3,
                ns.getValueAtPercentile(95) / 1e3,
                ns.getValueAtPercentile(99) / 1e3,
                ns.getValueAtPercentile(99.9) / 1e3,
                ns.getMaxValue() / 1e3);
    }

    /** The smallest (or largest) value of each column. */
    static Rtt combine(List<Rtt> runs, DoubleBinaryOperator minOrMax) {
        Rtt result = runs.getFirst();
        for (Rtt run : runs) {
            result = new Rtt(
                    minOrMax.applyAsDouble(result.avg, run.avg),
                    minOrMax.applyAsDouble(result.p50, run.p50),
                    minOrMax.applyAsDouble(result.p95, run.p95),
                    minOrMax.applyAsDouble(result.p99, run.p99),
                    minOrMax.applyAsDouble(result.p999, run.p999),
                    minOrMax.applyAsDouble(result.max, run.max));
        }
        return result;
    }
}
