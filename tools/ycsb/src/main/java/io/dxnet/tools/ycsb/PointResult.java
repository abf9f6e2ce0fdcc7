package io.dxnet.tools.ycsb;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Span;
import java.util.List;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * The runs of one number of client threads.
 *
 * @param threads client threads of all client nodes
 * @param clients client nodes
 * @param gets how the records were read
 * @param runs one at least
 * @param verification of what was read, warm-up included
 * @param counts what answered gets by memory, warm-up included
 */
record PointResult(
        int threads, int clients, GetPath gets, List<Window.Run> runs, Verification verification, GetCounts counts) {

    Span operationsPerSecond() {
        return Span.of(runs, Window.Run::operationsPerSecond);
    }

    /** Operations whose time was measured. */
    long operations() {
        return runs.stream().mapToLong(run -> run.all().getTotalCount()).sum();
    }

    long failed() {
        return runs.stream().mapToLong(Window.Run::failed).sum();
    }

    /** Average latency over the runs, microseconds. */
    Span latency() {
        return Span.of(runs, run -> Rtt.of(run.all()).avg());
    }

    Rtt all() {
        return rtt(Window.Run::all);
    }

    Rtt reads() {
        return rtt(Window.Run::reads);
    }

    Rtt updates() {
        return rtt(Window.Run::updates);
    }

    private Rtt rtt(Function<Window.Run, Histogram> times) {
        Histogram all = Window.histogram();
        runs.forEach(run -> all.add(times.apply(run)));
        return Rtt.of(all);
    }
}
