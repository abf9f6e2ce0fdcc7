package io.dxnet.tools.bench;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The measured runs of one point.
 *
 * @param point what was measured
 * @param warmup the faults of the warm-up, which count too
 * @param runs the runs
 */
record PointResult(Point point, Faults warmup, List<RunResult> runs) {

    /** The payload, bytes. */
    int size() {
        return point.size();
    }

    long messages() {
        return runs.stream().mapToLong(RunResult::messages).sum();
    }

    double seconds() {
        return runs.stream().mapToDouble(RunResult::seconds).sum();
    }

    Span messagesPerSecond() {
        return Span.of(runs, RunResult::messagesPerSecond);
    }

    Span payloadBytesPerSecond() {
        return messagesPerSecond().times(size());
    }

    Span allocatedBytesPerMessage() {
        return Span.of(runs, RunResult::allocatedBytesPerMessage);
    }

    Span cpuNanosPerMessage() {
        return Span.of(runs, RunResult::cpuNanosPerMessage);
    }

    Faults faults() {
        return runs.stream().map(RunResult::faults).reduce(warmup, Faults::plus);
    }

    /** How memory of other nodes was accessed. */
    Access access() {
        return runs.getFirst().access();
    }

    /**
     * The course of the rate over the runs: as long as the
     * shortest run; empty unless {@link RoundSpec#sampled}.
     */
    List<Span> course() {
        int intervals = runs.stream()
                .mapToInt(run -> run.course() == null ? 0 : run.course().intervals())
                .min()
                .orElse(0);
        return IntStream.range(0, intervals)
                .mapToObj(i -> Span.of(runs, run -> run.course().rate(i)))
                .toList();
    }

    /**
     * How old the oldest process was when the rate of the first run, in which all is compiled, had
     * become steady, seconds; null where it had not, or nothing was sampled.
     */
    Double steadyAtSeconds() {
        RunResult first = runs.getFirst();
        long afterNs = first.course() == null ? -1 : first.course().steadyAfterNs();
        return afterNs < 0 ? null : (first.ageNs() + afterNs) / 1e9;
    }

    /** The rate of {@link Pattern#SWITCH} before it switches, without its beginning; else null. */
    Span beforeSwitch() {
        return phase(0.1, 0.5);
    }

    /**
     * The rate of {@link Pattern#SWITCH} after the switch,
     * without the time until the rate is steady; else null.
     */
    Span afterSwitch() {
        return phase(0.6, 1);
    }

    private Span phase(double from, double to) {
        boolean sampled = runs.stream().allMatch(run -> run.course() != null);
        return sampled ? Span.of(runs, run -> run.course().rate(from, to)) : null;
    }

    /** Over the round trips of all runs, or null. */
    Rtt rtt() {
        Histogram all = null;
        for (RunResult run : runs) {
            if (run.times() != null) {
                if (all == null) {
                    all = run.times().copy();
                } else {
                    all.add(run.times());
                }
            }
        }
        return all == null ? null : Rtt.of(all);
    }

    /** The smallest value of each percentile over the runs. */
    Rtt rttMin() {
        return Rtt.combine(runs.stream().map(run -> Rtt.of(run.times())).toList(), Math::min);
    }

    /** The largest value of each percentile over the runs. */
    Rtt rttMax() {
        return Rtt.combine(runs.stream().map(run -> Rtt.of(run.times())).toList(), Math::max);
    }
}
