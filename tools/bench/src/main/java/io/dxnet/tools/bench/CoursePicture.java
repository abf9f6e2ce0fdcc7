package io.dxnet.tools.bench;

import io.dxnet.tools.report.FigureChart;
import io.dxnet.tools.report.FigureChart.Dot;
import io.dxnet.tools.report.Span;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The throughput of {@link Pattern#SWITCH} in the course of a run, a curve for each point. */
record CoursePicture(String suffix) implements Picture {
    @Override
    public FigureChart draw(Report report, String title, List<String> footer) {
        double seconds = report.results().stream()
                .mapToDouble(result -> Course.seconds(result.course().size()))
                .max()
                .orElse(1);
        FigureChart chart = new FigureChart(title, footer).linear("Time since the start [s]", seconds);
        chart.vertical(0, Metric.THROUGHPUT.title(), false);
        Set<Dimension> apart = new LinkedHashSet<>(List.of(Dimension.NODES, Dimension.SIZE));
        apart.addAll(Dimension.varying(report.results()));
        int color = 0;
        for (PointResult result : report.results()) {
            Point point = result.point();
            String name =
                    apart.stream().map(dimension -> dimension.label(point)).collect(Collectors.joining(", "));
            List<Dot> dots = new ArrayList<>();
            List<Span> course = result.course();
            for (int i = 0; i < course.size(); i++) {
                double avg = course.get(i).avg() * point.size() * 1e-6;
                dots.add(new Dot(Course.seconds(i), new Span(avg, avg, avg)));
            }
            chart.curve(name, 0, color++, 0, dots);
        }
        if (report.plan().seconds() > 0) {
            chart.mark(report.plan().seconds() / 2);
        }
        return chart;
    }

    /** The same as numbers, with what differs between the runs. */
    static List<Map<String, Object>> data(Report report) {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (PointResult result : report.results()) {
            List<Span> course = result.course();
            for (int i = 0; i < course.size(); i++) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("transport", result.point().setup().transport());
                row.put("nodes", result.point().setup().nodes());
                row.put("threads", result.point().threads());
                row.put("sizeBytes", result.size());
                row.put("timeSeconds", Course.seconds(i));
                course.get(i).putInto(row, "messagesPerSecond");
                course.get(i).times(result.size()).putInto(row, "payloadBytesPerSecond");
                row.put("runs", result.runs().size());
                row.putAll(JsonWriter.origin(report));
                rows.add(row);
            }
        }
        return rows;
    }
}
