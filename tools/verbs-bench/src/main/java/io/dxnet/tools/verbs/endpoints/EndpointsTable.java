package io.dxnet.tools.verbs.endpoints;

import io.dxnet.tools.report.Columns;
import io.dxnet.tools.verbs.ReportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a report for people. */
final class EndpointsTable {
    private static final List<String> RESOURCES =
            List.of("CTX", "PD", "TD", "CQ", "QP", "MR", "reg. KiB", "mlx5 UAR", "uUAR", "KiB");

    private EndpointsTable() {}

    static List<String> lines(EndpointsReport report) {
        List<String> lines = new ArrayList<>(ReportOptions.lines(report.environment()));
        if (!report.rates().isEmpty()) {
            lines.add("");
            lines.add("message rate of RDMA writes, M msg/s, by the features that are on; and the resources in use");
            lines.addAll(Columns.align(rates(report)));
        }
        for (KernelResult.Kernel kernel : KernelResult.Kernel.values()) {
            List<KernelResult> results = report.kernels().stream()
                    .filter(each -> each.kernel() == kernel)
                    .toList();
            if (!results.isEmpty()) {
                lines.add("");
                lines.add(kernel + ", results compared with those of one thread alone");
                lines.addAll(Columns.align(kernels(results)));
            }
        }
        lines.add("");
        lines.add(
                "mlx5 columns: what these objects need on such a device, by the paper's table I and sections II-A and VI.");
        report.notes().forEach(note -> lines.add("note: " + note));
        lines.add(verdict(report));
        return lines;
    }

    private static List<List<String>> rates(EndpointsReport report) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("category", "threads"));
        report.features().forEach(each -> head.add(each.toString()));
        head.addAll(RESOURCES);
        rows.add(head);
        List<RateResult> rates = report.rates();
        for (int i = 0; i < rates.size(); ) {
            RateResult first = rates.get(i);
            List<String> row = new ArrayList<>(List.of(first.category().label(), Integer.toString(first.threads())));
            for (FeatureSet features : report.features()) {
                boolean here = i < rates.size()
                        && rates.get(i).category() == first.category()
                        && rates.get(i).threads() == first.threads()
                        && rates.get(i).features() == features;
                row.add(here ? millions(rates.get(i++).messagesPerSecond().avg()) : "-");
            }
            row.addAll(resources(first.resources()));
            rows.add(row);
        }
        return rows;
    }

    private static List<List<String>> kernels(List<KernelResult> results) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(
                List.of("layout", "category", "threads", "messages", "M msg/s", "of MPI everywhere", "wrong"));
        head.addAll(RESOURCES);
        rows.add(head);
        double reference = Double.NaN;
        String layout = null;
        for (KernelResult result : results) {
            if (!result.layout().equals(layout)) {
                layout = result.layout();
                reference = result.category() == Category.MPI_EVERYWHERE ? result.messagesPerSecond() : Double.NaN;
            }
            double ratio = result.messagesPerSecond() / reference;
            List<String> row = new ArrayList<>(List.of(
                    layout,
                    result.category().label(),
                    Integer.toString(result.threads()),
                    format("%,d", result.messages()),
                    millions(result.messagesPerSecond()),
                    Double.isNaN(ratio) ? "-" : format("%.0f %%", 100 * ratio),
                    format("%,d", result.wrong())));
            row.addAll(resources(result.resources()));
            rows.add(row);
        }
        return rows;
    }

    private static List<String> resources(Resources r) {
        return List.of(
                Integer.toString(r.contexts()),
                Integer.toString(r.protectionDomains()),
                Integer.toString(r.threadDomains()),
                Integer.toString(r.completionQueues()),
                Integer.toString(r.queuePairs()),
                Integer.toString(r.memoryRegions()),
                format("%,.1f", r.registeredBytes() / 1024.0),
                Integer.toString(r.mlx5Uars()),
                Integer.toString(r.mlx5Uuars()),
                format("%,d", r.mlx5Bytes() / 1024));
    }

    private static String verdict(EndpointsReport report) {
        if (report.wrong() > 0) {
            return format("WRONG: %,d numbers or messages", report.wrong());
        }
        boolean kernels = !report.kernels().isEmpty();
        String rates = report.rates().isEmpty()
                ? ""
                : report.verified()
                        ? " Message rate: what arrived was right."
                        : " Message rate: not verified (--verify).";
        return ((kernels ? "Kernels: all results were right." : "") + rates).strip();
    }

    private static String millions(double perSecond) {
        return format(perSecond >= 1e5 ? "%.2f" : "%.4f", perSecond / 1e6);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
