package io.dxnet.tools.bench;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.SizeChart;
import io.dxnet.tools.report.Span;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.YAxisPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws a report over the payload size, as the paper's figures do (DXNet §XIII): rate and throughput of messages with two
 * axes, or the percentiles of the round-trip times. The error bars reach to the run that is farthest from the average.
 */
final class Plots {
    private static final Color RATE = new Color(0x1F, 0x5A, 0xA6);
    private static final Color BYTES = new Color(0xC0, 0x50, 0x20);
    private static final Color RAW = new Color(0x80, 0x80, 0x80);
    private static final Color[] PERCENTILES = {
        new Color(0x1F, 0x5A, 0xA6),
        new Color(0x2E, 0x8B, 0x57),
        new Color(0xC0, 0x50, 0x20),
        new Color(0x7B, 0x3F, 0x9E)
    };

    private final Report report;
    private final Path directory;
    private final double[] sizes;

    Plots(Report report, Path directory) {
        this.report = report;
        this.directory = directory;
        this.sizes = report.results().stream()
                .mapToDouble(result -> SizeChart.log2(result.size()))
                .toArray();
    }

    /** Writes the pictures; returns their files. */
    List<Path> draw() throws IOException {
        Files.createDirectories(directory);
        String name = report.transport() + "-" + report.plan().pattern().label();
        List<Path> files = new ArrayList<>(SizeChart.save(throughput(), directory, name + "-throughput"));
        if (report.plan().pattern() == Pattern.RTT) {
            files.addAll(SizeChart.save(roundTrips(), directory, name + "-rtt"));
        }
        return files;
    }

    private XYChart throughput() {
        XYChart chart = chart("messages");
        double scale = report.results().stream()
                                .mapToDouble(r -> r.messagesPerSecond().max())
                                .max()
                                .orElse(0)
                        >= 1e6
                ? 1e-6
                : 1e-3;
        chart.setYAxisGroupTitle(0, scale == 1e-6 ? "Message rate [M msg/s]" : "Message rate [k msg/s]");
        chart.setYAxisGroupTitle(1, "Payload throughput [MB/s]");
        chart.getStyler().setYAxisGroupPosition(1, YAxisPosition.Right);
        chart.getStyler().setYAxisMin(0, 0.0);
        chart.getStyler().setYAxisMin(1, 0.0);
        spans(
                chart,
                "message rate",
                0,
                RATE,
                SeriesMarkers.CIRCLE,
                r -> r.messagesPerSecond().times(scale));
        spans(
                chart,
                "payload throughput",
                1,
                BYTES,
                SeriesMarkers.SQUARE,
                r -> r.payloadBytesPerSecond().times(1e-6));
        if (report.hasFloor() && report.plan().pattern() != Pattern.RTT) {
            spans(
                    chart,
                    "raw NIO stream, throughput",
                    1,
                    RAW,
                    SeriesMarkers.DIAMOND,
                    r -> report.floor(r.size()).stream().times(r.size() * 1e-6));
        }
        return chart;
    }

    private XYChart roundTrips() {
        XYChart chart = chart("round trips, closed loop");
        chart.setYAxisTitle("Round-trip time [µs]");
        chart.getStyler().setYAxisLogarithmic(true);
        percentile(chart, "average", 0, Rtt::avg);
        percentile(chart, "50th percentile", 1, Rtt::p50);
        percentile(chart, "99th percentile", 2, Rtt::p99);
        percentile(chart, "99.9th percentile", 3, Rtt::p999);
        wholeDecades(chart);
        if (report.hasFloor()) {
            double[] raw = report.results().stream()
                    .mapToDouble(r -> report.floor(r.size()).rttMin().p50())
                    .toArray();
            style(chart.addSeries("raw NIO ping-pong, 50th", sizes, raw), RAW, SeriesMarkers.DIAMOND);
        }
        return chart;
    }

    /** XChart labels decades alone, so both ends of the axis shall be some. */
    private void wholeDecades(XYChart chart) {
        double min = Double.POSITIVE_INFINITY;
        double max = 0;
        for (SizeResult result : report.results()) {
            min = Math.min(min, result.rttMin().p50() * 0.5);
            max = Math.max(max, result.rttMax().p999());
        }
        chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(min))));
        chart.getStyler().setYAxisMax(Math.pow(10, Math.ceil(Math.log10(max))));
    }

    private void percentile(XYChart chart, String name, int color, ToDoubleFunction<Rtt> value) {
        double[] y = new double[sizes.length];
        double[] error = new double[sizes.length];
        for (int i = 0; i < y.length; i++) {
            SizeResult result = report.results().get(i);
            y[i] = value.applyAsDouble(result.rtt());
            double far =
                    Math.max(value.applyAsDouble(result.rttMax()) - y[i], y[i] - value.applyAsDouble(result.rttMin()));
            error[i] = Math.min(far, y[i] * 0.5); // a logarithmic axis has no zero
        }
        style(chart.addSeries(name, sizes, y, error), PERCENTILES[color], SeriesMarkers.CIRCLE);
    }

    /** Something of a result that has a span over the runs. */
    private interface SpanOf {
        Span of(SizeResult result);
    }

    private void spans(XYChart chart, String name, int axis, Color color, Marker marker, SpanOf value) {
        double[] y = new double[sizes.length];
        double[] error = new double[sizes.length];
        for (int i = 0; i < y.length; i++) {
            Span span = value.of(report.results().get(i));
            y[i] = span.avg();
            error[i] = Math.max(span.max() - span.avg(), span.avg() - span.min());
        }
        XYSeries series = chart.addSeries(name, sizes, y, error);
        series.setYAxisGroup(axis);
        style(series, color, marker);
    }

    private static void style(XYSeries series, Color color, Marker marker) {
        series.setLineColor(color);
        series.setMarkerColor(color);
        series.setMarker(marker);
    }

    private XYChart chart(String what) {
        Plan plan = report.plan();
        XYChart chart = new XYChartBuilder()
                .width(SizeChart.WIDTH)
                .height(SizeChart.HEIGHT)
                .theme(ChartTheme.XChart)
                .title(String.format(
                        "DXNet %s, %s: %s; %d nodes, %d sending thread%s each%s",
                        report.transport(),
                        plan.pattern().label(),
                        what,
                        report.nodes(),
                        plan.threads(),
                        plan.threads() == 1 ? "" : "s",
                        plan.verify() ? ", verified" : ""))
                .xAxisTitle("Payload [bytes]")
                .build();
        SizeChart.style(chart, sizes);
        return chart;
    }
}
