package io.dxnet.tools.verbs.endpoints;

import io.dxnet.tools.report.FigureChart;
import io.dxnet.tools.report.FigureChart.Dot;
import io.dxnet.tools.report.SizeChart;
import io.dxnet.tools.verbs.ReportOptions;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * Draws a report as the paper's figures. They are: message rate over threads (figure
 * 3) for each feature set, with a line for each category; message rate of the
 * kernels by category and layout (figures 12 and 14); resources by category.
 */
final class EndpointsPlots {
    private final EndpointsReport report;

    EndpointsPlots(EndpointsReport report) {
        this.report = report;
    }

    List<Path> draw(Path directory) throws IOException {
        List<Path> files = new ArrayList<>();
        for (FeatureSet features : report.features()) {
            String name = "endpoints-rate-" + features.toString().replace('/', '-');
            files.addAll(rates(features).save(directory, name));
        }
        for (KernelResult.Kernel kernel : KernelResult.Kernel.values()) {
            List<KernelResult> results = report.kernels().stream()
                    .filter(each -> each.kernel() == kernel)
                    .toList();
            if (!results.isEmpty()) {
                String name = "endpoints-" + kernel.toString().replace(' ', '-');
                files.addAll(SizeChart.save(kernel(kernel, results), directory, name));
            }
        }
        if (!report.rates().isEmpty()) {
            files.addAll(SizeChart.save(resources(), directory, "endpoints-resources"));
        }
        return files;
    }

    private String device() {
        return report.environment().get("device") instanceof Map<?, ?> device
                ? String.valueOf(device.get("name"))
                : "?";
    }

    private FigureChart rates(FeatureSet features) {
        List<Integer> threads = report.rates().stream()
                .map(RateResult::threads)
                .distinct()
                .sorted()
                .toList();
        FigureChart chart = new FigureChart(
                        device() + ", message rate of RDMA writes, features: " + features,
                        ReportOptions.lines(report.environment()))
                .powersOfTwo("Threads", threads.getFirst(), threads.getLast(), Integer::toString)
                .vertical(0, "Message rate [M msg/s]", false);
        for (Category category : report.categories()) {
            List<Dot> dots = report.rates(category, features).stream()
                    .map(r -> new Dot(
                            SizeChart.log2(r.threads()), r.messagesPerSecond().times(1e-6)))
                    .toList();
            chart.curve(category.label(), 0, category.ordinal(), 0, dots);
        }
        return chart;
    }

    private CategoryChart kernel(KernelResult.Kernel kernel, List<KernelResult> results) {
        CategoryChart chart = bars(device() + ", " + kernel, "Message rate [M msg/s]");
        List<String> layouts =
                results.stream().map(KernelResult::layout).distinct().toList();
        for (Category category :
                results.stream().map(KernelResult::category).distinct().toList()) {
            List<Double> rates = results.stream()
                    .filter(each -> each.category() == category)
                    .map(each -> each.messagesPerSecond() / 1e6)
                    .toList();
            chart.addSeries(category.label(), layouts, rates);
        }
        chart.setXAxisTitle("Processes of a node . threads of each");
        return chart;
    }

    private CategoryChart resources() {
        int threads =
                report.rates().stream().mapToInt(RateResult::threads).max().orElseThrow();
        CategoryChart chart = bars("resources of " + threads + " threads", "Number");
        List<String> kinds = List.of("contexts", "thread domains", "CQs", "QPs", "mlx5 UARs", "mlx5 uUARs");
        for (Category category : report.categories()) {
            Resources r = report.rates().stream()
                    .filter(each -> each.category() == category && each.threads() == threads)
                    .findFirst()
                    .orElseThrow()
                    .resources();
            chart.addSeries(
                    category.label(),
                    kinds,
                    List.of(
                            r.contexts(),
                            r.threadDomains(),
                            r.completionQueues(),
                            r.queuePairs(),
                            r.mlx5Uars(),
                            r.mlx5Uuars()));
        }
        return chart;
    }

    private static CategoryChart bars(String title, String axis) {
        CategoryChart chart = new CategoryChartBuilder()
                .width(SizeChart.WIDTH)
                .height(SizeChart.HEIGHT)
                .title(title)
                .yAxisTitle(axis)
                .build();
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setLegendPosition(LegendPosition.OutsideS);
        chart.getStyler().setLegendLayout(LegendLayout.Horizontal);
        return chart;
    }
}
