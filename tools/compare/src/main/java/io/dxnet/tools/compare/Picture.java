package io.dxnet.tools.compare;

import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.svg.SVGProcessor;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.SizeChart;
import io.dxnet.tools.report.Span;
import java.awt.Color;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.ChartTheme;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Draws one picture: a panel for each number of threads, and one for the
 * median round trip; logarithmic axes.
 */
final class Picture {
    private static final Color[] COLORS = {
        new Color(0x80, 0x80, 0x80),
        new Color(0x1F, 0x5A, 0xA6),
        new Color(0xC0, 0x50, 0x20),
        new Color(0x2E, 0x8B, 0x57),
        new Color(0x7B, 0x3F, 0x9E),
        new Color(0xB8, 0x86, 0x0B),
        new Color(0xD8, 0x6F, 0xA8),
        new Color(0x00, 0x8B, 0x8B),
        new Color(0x6B, 0x8E, 0x23),
        new Color(0x40, 0x40, 0x40)
    };
    private static final Marker[] MARKERS = {
        SeriesMarkers.CIRCLE, SeriesMarkers.SQUARE, SeriesMarkers.DIAMOND, SeriesMarkers.TRIANGLE_UP
    };

    private final Report report;
    private final double[] sizes;

    Picture(Report report) {
        this.report = report;
        this.sizes = report.plan().sizes().stream().mapToDouble(SizeChart::log2).toArray();
    }

    /** Writes the PNG and the SVG; nothing where nothing was measured. */
    List<Path> save(Path directory) throws IOException {
        List<XYChart> panels = new ArrayList<>();
        for (int threads : report.plan().threads()) {
            panels.add(rates(threads));
        }
        panels.add(roundTrips());
        panels.removeIf(panel -> panel.getSeriesMap().isEmpty());
        if (panels.isEmpty()) {
            return List.of();
        }
        Path name = directory.resolve(ReportFiles.NAME);
        BitmapEncoder.saveBitmap(panels, 1, panels.size(), name.toString(), BitmapFormat.PNG);
        Path svg = Path.of(name + ".svg");
        saveSvg(panels, svg);
        return List.of(Path.of(name + ".png"), svg);
    }

    /** XChart writes a vector picture of one chart only. */
    private static void saveSvg(List<XYChart> panels, Path file) throws IOException {
        VectorGraphics2D graphics = new VectorGraphics2D();
        for (XYChart panel : panels) {
            panel.paint(graphics, SizeChart.WIDTH, SizeChart.HEIGHT);
            graphics.translate(SizeChart.WIDTH, 0);
        }
        PageSize page = new PageSize(SizeChart.WIDTH * panels.size(), SizeChart.HEIGHT);
        try (OutputStream out = Files.newOutputStream(file)) {
            new SVGProcessor().getDocument(graphics.getCommands(), page).writeTo(out);
        }
    }

    private XYChart rates(int threads) {
        XYChart chart = chart(
                "one way, " + threads + (threads == 1 ? " sender thread" : " sender threads"),
                "Message rate [M msg/s]");
        lines(chart, result -> size -> result.rate(size, threads).map(Span::avg).orElse(Double.NaN) / 1e6);
        return chart;
    }

    private XYChart roundTrips() {
        XYChart chart = chart("round trips, median", "Round-trip time [µs]");
        lines(chart, result -> size -> result.rtt(size).map(Rtt::p50).orElse(Double.NaN));
        return chart;
    }

    private void lines(XYChart chart, Function<PeerResult, ToDoubleFunction<Integer>> values) {
        double min = Double.POSITIVE_INFINITY;
        double max = 0;
        for (int i = 0; i < report.results().size(); i++) {
            PeerResult result = report.results().get(i);
            double[] y = report.plan().sizes().stream()
                    .mapToDouble(values.apply(result))
                    .toArray();
            DoubleSummaryStatistics measured =
                    Arrays.stream(y).filter(value -> value > 0).summaryStatistics(); // NaN is not
            if (measured.getCount() > 0) {
                min = Math.min(min, measured.getMin());
                max = Math.max(max, measured.getMax());
                XYSeries series = chart.addSeries(result.info().title(), sizes, y);
                series.setLineColor(COLORS[i % COLORS.length]);
                series.setMarkerColor(COLORS[i % COLORS.length]);
                series.setMarker(MARKERS[i % MARKERS.length]);
            }
        }
        if (max > 0) {
            // XChart labels decades alone, so both ends of the axis shall be some.
            chart.getStyler().setYAxisMin(Math.pow(10, Math.floor(Math.log10(min))));
            chart.getStyler().setYAxisMax(Math.pow(10, Math.ceil(Math.log10(max))));
        }
    }

    private XYChart chart(String title, String unit) {
        XYChart chart = new XYChartBuilder()
                .width(SizeChart.WIDTH)
                .height(SizeChart.HEIGHT)
                .theme(ChartTheme.XChart)
                .title("DXNet and its peers: " + title)
                .xAxisTitle("Payload [bytes]")
                .yAxisTitle(unit)
                .build();
        SizeChart.style(chart, sizes);
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideE); // one line is too short for all
        chart.getStyler().setLegendLayout(LegendLayout.Vertical);
        return chart;
    }
}
