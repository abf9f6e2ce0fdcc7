package io.dxnet.tools.bench;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The measured runs of one size.
 *
 * @param size payload, bytes
 * @param warmup what went wrong before the runs, which counts too
 * @param runs the runs
 */
record SizeResult(int size, Faults warmup, List<RunResult> runs) {

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
        return messagesPerSecond().times(size);
    }

    Span allocatedBytesPerMessage() {
        return Span.of(runs, RunResult::allocatedBytesPerMessage);
    }

    Faults faults() {
        return runs.stream().map(RunResult::faults).reduce(warmup, Faults::plus);
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
