package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.report.FigureChart;
import io.dxnet.tools.report.FigureChart.Dot;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.SizeChart;
import io.dxnet.tools.report.Sizes;
import io.dxnet.tools.report.Span;
import io.dxnet.tools.verbs.ReportOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Draws a report as the paper's figures, over the size. They are: throughput with
 * messages per second on the left (dotted) and MB/s on the right, latency with µs on
 * the left and messages per second on the right (dotted), both logarithmic, overhead in
 * per cent (logarithmic). Curves of dashes and dots are the C reference.
 */
final class VerbsPlots {
    private static final int SOLID = 0;
    private static final int DOTTED = 2;
    private static final int DASHED_AND_DOTTED = 3;
    private static final String RATE = "Messages [mmps], dotted";

    private final VerbsReport report;

    VerbsPlots(VerbsReport report) {
        this.report = report;
    }

    List<Path> draw(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Pattern pattern : report.patterns()) {
            if (pattern.isLatency()) {
                files.addAll(times(pattern, "average", Rtt::avg, PerftestResult::avgMicros)
                        .save(directory, "verbs-" + pattern + "-average"));
                files.addAll(times(pattern, "99.9th percentile", Rtt::p999, PerftestResult::p999Micros)
                        .save(directory, "verbs-" + pattern + "-p999"));
            } else {
                files.addAll(throughput(pattern).save(directory, "verbs-" + pattern + "-throughput"));
            }
        }
        FigureChart overhead = overhead();
        if (!overhead.getSeriesMap().isEmpty()) {
            files.addAll(overhead.save(directory, "verbs-overhead"));
        }
        return files;
    }

    private FigureChart throughput(Pattern pattern) {
        FigureChart chart = chart(pattern.title());
        chart.vertical(0, RATE, false).vertical(1, "Throughput [MB/s]", false);
        for (Transfer transfer : report.transfers(pattern)) {
            List<CaseResult> results = results(pattern, transfer);
            rates(chart, transfer, results, 0);
            curve(
                    chart,
                    transfer.label(),
                    1,
                    transfer,
                    SOLID,
                    results,
                    r -> r.payloadBytesPerSecond().times(1e-6));
            reference(
                    chart,
                    transfer,
                    results,
                    1,
                    (r, c) -> c.messagesPerSecond() * r.point().size() * 1e-6);
        }
        return chart;
    }

    private FigureChart times(
            Pattern pattern, String what, ToDoubleFunction<Rtt> column, ToDoubleFunction<PerftestResult> ofReference) {
        FigureChart chart = chart(pattern.title() + ", " + what);
        chart.vertical(0, "Latency [µs]", true).vertical(1, RATE, true);
        for (Transfer transfer : report.transfers(pattern)) {
            List<CaseResult> results = results(pattern, transfer);
            curve(
                    chart,
                    transfer.label(),
                    0,
                    transfer,
                    SOLID,
                    results,
                    r -> new Span(
                            column.applyAsDouble(r.times()),
                            column.applyAsDouble(r.timesMin()),
                            column.applyAsDouble(r.timesMax())));
            rates(chart, transfer, results, 1);
            reference(chart, transfer, results, 0, (r, c) -> ofReference.applyAsDouble(c));
        }
        return chart;
    }

    private FigureChart overhead() {
        FigureChart chart = chart("protocol overhead, ping-pong").vertical(0, "Overhead [% of the payload]", true);
        for (Transfer transfer : report.transfers(Pattern.PING_PONG)) {
            List<CaseResult> results = results(Pattern.PING_PONG, transfer).stream()
                    .filter(r -> r.overheadPercent() != null && r.overheadPercent() > 0)
                    .toList();
            curve(chart, transfer.label(), 0, transfer, SOLID, results, r -> point(r.overheadPercent()));
        }
        return chart;
    }

    private FigureChart chart(String title) {
        List<Integer> sizes = report.sizes();
        return new FigureChart(
                        report.deviceName() + ", " + title + (report.verified() ? ", verified" : ""),
                        ReportOptions.lines(report.environment()))
                .powersOfTwo("Message size [bytes]", sizes.getFirst(), sizes.getLast(), Sizes::format);
    }

    private List<CaseResult> results(Pattern pattern, Transfer transfer) {
        return report.sizes().stream()
                .map(size -> report.result(new Case(pattern, transfer, size)))
                .filter(result -> result != null)
                .toList();
    }

    private static void rates(FigureChart chart, Transfer transfer, List<CaseResult> results, int axis) {
        curve(
                chart,
                transfer + " [mmps]",
                axis,
                transfer,
                DOTTED,
                results,
                r -> r.messagesPerSecond().times(1e-6));
    }

    private static void curve(
            FigureChart chart,
            String name,
            int axis,
            Transfer transfer,
            int style,
            List<CaseResult> results,
            Function<CaseResult, Span> value) {
        List<Dot> dots = results.stream()
                .map(r -> new Dot(SizeChart.log2(r.point().size()), value.apply(r)))
                .toList();
        chart.curve(name, axis, transfer.ordinal(), style, dots);
    }

    private static Span point(double value) {
        return new Span(value, value, value);
    }

    /** A value of the reference beside one of ours. */
    private interface ReferenceValue {
        double of(CaseResult ours, PerftestResult reference);
    }

    private void reference(
            FigureChart chart, Transfer transfer, List<CaseResult> results, int axis, ReferenceValue value) {
        List<CaseResult> both = results.stream()
                .filter(result -> report.reference(result.point()) != null)
                .toList();
        if (!both.isEmpty()) {
            String name = report.reference(both.getFirst().point()).program().program();
            curve(
                    chart,
                    name,
                    axis,
                    transfer,
                    DASHED_AND_DOTTED,
                    both,
                    r -> point(value.of(r, report.reference(r.point()))));
        }
    }
}
