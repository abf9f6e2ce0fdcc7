package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.SizeChart;
import io.dxnet.tools.report.Span;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.YAxisPosition;
import org.knowm.xchart.style.lines.SeriesLines;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a report as the paper's figures: over the size; throughput with messages per second on the left (dotted) and MB/s on the right, latency with
 * µs on the left and messages per second on the right (dotted), both logarithmic, overhead in per cent (logarithmic). Error bars reach to the
 * run that is farthest from the average; points without a line are the C reference.
 */
final class VerbsPlots {
    private static final Color[] COLORS = {
        new Color(0x1F, 0x5A, 0xA6),
        new Color(0xC0, 0x50, 0x20),
        new Color(0x2E, 0x8B, 0x57),
        new Color(0x7B, 0x3F, 0x9E)
    };

    private final VerbsReport report;

    VerbsPlots(VerbsReport report) {
        this.report = report;
    }

    List<Path> draw(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Pattern pattern : report.patterns()) {
            if (pattern.isLatency()) {
                files.addAll(SizeChart.save(
                        times(pattern, "average", Rtt::avg), directory, "verbs-" + pattern + "-average"));
                files.addAll(SizeChart.save(
                        times(pattern, "99.9th percentile", Rtt::p999), directory, "verbs-" + pattern + "-p999"));
            } else {
                files.addAll(SizeChart.save(throughput(pattern), directory, "verbs-" + pattern + "-throughput"));
            }
        }
        XYChart overhead = overhead();
        if (overhead != null) {
            files.addAll(SizeChart.save(overhead, directory, "verbs-overhead"));
        }
        return files;
    }

    private XYChart throughput(Pattern pattern) {
        XYChart chart = chart(pattern.title());
        chart.setYAxisGroupTitle(0, "Messages [mmps], dotted");
        chart.setYAxisGroupTitle(1, "Throughput [MB/s]");
        chart.getStyler().setYAxisGroupPosition(1, YAxisPosition.Right);
        for (Transfer transfer : report.transfers(pattern)) {
            List<CaseResult> results = results(pattern, transfer);
            rates(chart, transfer, results, 0);
            spans(
                    chart,
                    transfer.label(),
                    transfer,
                    results,
                    1,
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

    private XYChart times(Pattern pattern, String what, ToDoubleFunction<Rtt> column) {
        XYChart chart = chart(pattern.title() + ", " + what);
        chart.setYAxisGroupTitle(0, "Latency [µs]");
        chart.setYAxisGroupTitle(1, "Messages [mmps], dotted");
        chart.getStyler().setYAxisGroupPosition(1, YAxisPosition.Right);
        chart.getStyler().setYAxisLogarithmic(true);
        boolean average = what.equals("average");
        for (Transfer transfer : report.transfers(pattern)) {
            List<CaseResult> results = results(pattern, transfer);
            spans(
                    chart,
                    transfer.label(),
                    transfer,
                    results,
                    0,
                    r -> new Span(
                            column.applyAsDouble(r.times()),
                            column.applyAsDouble(r.timesMin()),
                            column.applyAsDouble(r.timesMax())));
            rates(chart, transfer, results, 1);
            reference(chart, transfer, results, 0, (r, c) -> average ? c.avgMicros() : c.p999Micros());
        }
        wholeDecades(chart, 0);
        wholeDecades(chart, 1);
        return chart;
    }

    /** XChart labels decades alone, so both ends of a logarithmic axis shall be some. */
    private static void wholeDecades(XYChart chart, int axis) {
        double[] values = chart.getSeriesMap().values().stream()
                .filter(series -> series.getYAxisGroup() == axis)
                .flatMapToDouble(series -> Arrays.stream(series.getYData()))
                .toArray();
        double min = Arrays.stream(values).min().orElseThrow();
        double max = Arrays.stream(values).max().orElseThrow();
        chart.getStyler().setYAxisMin(axis, Math.pow(10, Math.floor(Math.log10(min) - 0.1)));
        chart.getStyler().setYAxisMax(axis, Math.pow(10, Math.ceil(Math.log10(max) + 0.1)));
    }

    private XYChart overhead() {
        XYChart chart = chart("protocol overhead, ping-pong");
        chart.setYAxisTitle("Overhead [% of the payload]");
        chart.getStyler().setYAxisLogarithmic(true);
        boolean any = false;
        for (Transfer transfer : report.transfers(Pattern.PING_PONG)) {
            List<CaseResult> results = results(Pattern.PING_PONG, transfer).stream()
                    .filter(r -> r.overheadPercent() != null && r.overheadPercent() > 0)
                    .toList();
            if (!results.isEmpty()) {
                any = true;
                spans(
                        chart,
                        transfer.label(),
                        transfer,
                        results,
                        0,
                        r -> new Span(r.overheadPercent(), r.overheadPercent(), r.overheadPercent()));
            }
        }
        if (!any) {
            return null;
        }
        wholeDecades(chart, 0);
        return chart;
    }

    private XYChart chart(String title) {
        XYChart chart = new XYChartBuilder()
                .width(SizeChart.WIDTH)
                .height(SizeChart.HEIGHT)
                .title(report.deviceName() + ", " + title + (report.verified() ? ", verified" : ""))
                .xAxisTitle("Message size [bytes]")
                .build();
        SizeChart.style(
                chart, report.sizes().stream().mapToDouble(SizeChart::log2).toArray());
        return chart;
    }

    private List<CaseResult> results(Pattern pattern, Transfer transfer) {
        return report.sizes().stream()
                .map(size -> report.result(new Case(pattern, transfer, size)))
                .filter(result -> result != null)
                .toList();
    }

    private static void rates(XYChart chart, Transfer transfer, List<CaseResult> results, int axis) {
        XYSeries series = spans(
                chart,
                transfer + " [mmps]",
                transfer,
                results,
                axis,
                r -> r.messagesPerSecond().times(1e-6));
        series.setLineStyle(SeriesLines.DOT_DOT);
        series.setMarker(SeriesMarkers.NONE);
    }

    private static XYSeries spans(
            XYChart chart,
            String name,
            Transfer transfer,
            List<CaseResult> results,
            int axis,
            Function<CaseResult, Span> value) {
        double[] x = new double[results.size()];
        double[] y = new double[x.length];
        double[] error = new double[x.length];
        for (int i = 0; i < x.length; i++) {
            x[i] = SizeChart.log2(results.get(i).point().size());
            Span span = value.apply(results.get(i));
            y[i] = span.avg();
            // A logarithmic axis has no zero.
            error[i] = Math.min(Math.max(span.max() - y[i], y[i] - span.min()), y[i] * 0.5);
        }
        XYSeries series = chart.addSeries(name, x, y, error);
        series.setYAxisGroup(axis);
        series.setLineColor(COLORS[transfer.ordinal()]);
        series.setMarkerColor(COLORS[transfer.ordinal()]);
        series.setMarker(SeriesMarkers.CIRCLE);
        return series;
    }

    /** A value of the reference beside one of ours. */
    private interface ReferenceValue {
        double of(CaseResult ours, PerftestResult reference);
    }

    private void reference(XYChart chart, Transfer transfer, List<CaseResult> results, int axis, ReferenceValue value) {
        List<CaseResult> both = results.stream()
                .filter(result -> report.reference(result.point()) != null)
                .toList();
        if (both.isEmpty()) {
            return;
        }
        double[] x =
                both.stream().mapToDouble(r -> SizeChart.log2(r.point().size())).toArray();
        double[] y = both.stream()
                .mapToDouble(r -> value.of(r, report.reference(r.point())))
                .toArray();
        XYSeries series = chart.addSeries(
                report.reference(both.getFirst().point()).program().program(), x, y);
        series.setYAxisGroup(axis);
        series.setLineStyle(SeriesLines.NONE);
        series.setMarker(SeriesMarkers.DIAMOND);
        series.setMarkerColor(COLORS[transfer.ordinal()].darker());
    }
}
