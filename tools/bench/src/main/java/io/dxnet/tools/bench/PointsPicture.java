package io.dxnet.tools.bench;

import io.dxnet.tools.report.FigureChart;
import io.dxnet.tools.report.FigureChart.Dot;
import io.dxnet.tools.report.SizeChart;
import io.dxnet.tools.report.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The points of a report over one of their dimensions: a curve
 * for each metric and each value of the other dimensions.
 *
 * @param suffix of the file's name
 * @param x the horizontal axis
 * @param curves what distinguishes curves; other dimensions
 *     do, too, where a report has several values of them
 * @param left metrics of the left axis, one at least
 * @param right metrics of the right axis, or none
 * @param logarithmic whether the vertical axes have powers of ten
 */
record PointsPicture(
        String suffix, Dimension x, List<Dimension> curves, List<Metric> left, List<Metric> right, boolean logarithmic)
        implements Picture {

    @Override
    public FigureChart draw(Report report, String title, List<String> footer) {
        List<PointResult> results = report.results();
        List<Integer> values =
                results.stream().map(r -> x.value(r.point())).sorted().toList();
        FigureChart chart =
                new FigureChart(title, footer).powersOfTwo(x.title(), values.getFirst(), values.getLast(), x::tick);
        chart.vertical(0, left.getFirst().title(), logarithmic);
        if (!right.isEmpty()) {
            chart.vertical(1, right.getFirst().title(), logarithmic);
        }
        Set<Dimension> apart = new LinkedHashSet<>(curves);
        apart.addAll(Dimension.varying(results));
        apart.remove(x);
        Map<String, List<PointResult>> groups = results.stream()
                .collect(Collectors.groupingBy(r -> curve(r, apart), LinkedHashMap::new, Collectors.toList()));
        int group = 0;
        for (Map.Entry<String, List<PointResult>> entry : groups.entrySet()) {
            int style = 0;
            for (Metric metric : left) {
                addCurve(chart, entry, groups.size() == 1 ? style : group, 0, metric, style++);
            }
            for (Metric metric : right) {
                addCurve(chart, entry, groups.size() == 1 ? style : group, 1, metric, style++);
            }
            group++;
        }
        addFloor(chart, report);
        return chart;
    }

    private static String curve(PointResult result, Set<Dimension> apart) {
        return apart.stream()
                .map(dimension -> dimension.label(result.point()))
                .filter(label -> !label.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private void addCurve(
            FigureChart chart,
            Map.Entry<String, List<PointResult>> group,
            int color,
            int axis,
            Metric metric,
            int style) {
        boolean nameless = group.getKey().isEmpty();
        boolean onlyMetric = left.size() + right.size() == 1;
        String name = nameless ? metric.label() : onlyMetric ? group.getKey() : group.getKey() + ": " + metric.label();
        chart.curve(name, axis, color, style, dots(group.getValue(), metric::of));
    }

    /** Adds the curve of raw TCP, where the report has one. */
    private void addFloor(FigureChart chart, Report report) {
        if (!report.hasFloor() || x != Dimension.SIZE) {
            return;
        }
        List<PointResult> one = report.results().stream()
                .filter(r -> report.floor(r) != null)
                .filter(r -> r.point().threads() == report.sweep().threads().getFirst())
                .filter(r -> r.point().setup().equals(report.setups().getFirst()))
                .toList();
        int color = 7;
        if (right.contains(Metric.THROUGHPUT)) {
            chart.curve("raw NIO stream, throughput", 1, color, 0, dots(one, r -> {
                Floor.OfSize floor = report.floor(r);
                return floor.messagesPerSecond().isEmpty()
                        ? null
                        : floor.stream().times(r.size() * 1e-6);
            }));
        } else if (left.contains(Metric.RTT_MEDIAN)) {
            chart.curve("raw NIO ping-pong, 50th percentile", 0, color, 0, dots(one, r -> {
                Floor.OfSize floor = report.floor(r);
                double p50 = floor.rtt().isEmpty() ? 0 : floor.rttMin().p50();
                return p50 == 0 ? null : new Span(p50, p50, p50);
            }));
        }
    }

    private List<Dot> dots(List<PointResult> results, Function<PointResult, Span> value) {
        List<Dot> dots = new ArrayList<>();
        for (PointResult result : results) {
            Span span = value.apply(result);
            if (span != null) {
                dots.add(new Dot(SizeChart.log2(x.value(result.point())), span));
            }
        }
        return dots;
    }
}
