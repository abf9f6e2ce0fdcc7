package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.report.Columns;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Sizes;
import io.dxnet.tools.verbs.ReportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Writes a report for people: a table for each pattern, a row for each size. */
final class VerbsTable {
    private static final String NOTHING = "-";

    private final VerbsReport report;

    private VerbsTable(VerbsReport report) {
        this.report = report;
    }

    static List<String> lines(VerbsReport report) {
        VerbsTable table = new VerbsTable(report);
        List<String> lines = new ArrayList<>(ReportOptions.lines(report.environment()));
        for (Pattern pattern : report.patterns()) {
            lines.add("");
            lines.add(pattern.title() + (report.verified() ? ", every byte verified" : ""));
            lines.addAll(Columns.align(pattern.isLatency() ? table.times(pattern) : table.rates(pattern)));
        }
        lines.addAll(table.overhead());
        lines.add("");
        report.notes().forEach(note -> lines.add("note: " + note));
        if (report.verified()) {
            lines.add(
                    report.corrupt() == 0
                            ? format("All of %,d messages checked were right.", report.checked())
                            : format("CORRUPT: %,d of %,d messages checked", report.corrupt(), report.checked()));
        }
        return lines;
    }

    private List<List<String>> rates(Pattern pattern) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("size"));
        for (Transfer transfer : report.transfers(pattern)) {
            head.addAll(List.of(transfer + " k/s", "MB/s"));
            if (report.hasReferences(pattern, transfer)) {
                head.addAll(List.of("C k/s", "ours/C"));
            }
        }
        rows.add(head);
        for (int size : report.sizes()) {
            List<String> row = new ArrayList<>(List.of(Sizes.format(size)));
            for (Transfer transfer : report.transfers(pattern)) {
                Case point = new Case(pattern, transfer, size);
                CaseResult result = report.result(point);
                double rate =
                        result == null ? Double.NaN : result.messagesPerSecond().avg();
                row.add(number(rate / 1e3));
                row.add(number(rate * size / 1e6));
                if (report.hasReferences(pattern, transfer)) {
                    PerftestResult reference = report.reference(point);
                    row.add(reference == null ? NOTHING : number(reference.messagesPerSecond() / 1e3));
                    row.add(ratio(result, reference));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    private List<List<String>> times(Pattern pattern) {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("size"));
        for (Transfer transfer : report.transfers(pattern)) {
            head.addAll(List.of(transfer + " avg µs", "p50", "p99", "p99.9"));
            if (report.hasReferences(pattern, transfer)) {
                head.addAll(List.of("C p50", "ours/C"));
            }
        }
        rows.add(head);
        for (int size : report.sizes()) {
            List<String> row = new ArrayList<>(List.of(Sizes.format(size)));
            for (Transfer transfer : report.transfers(pattern)) {
                Case point = new Case(pattern, transfer, size);
                CaseResult result = report.result(point);
                Rtt times = result == null ? null : result.times();
                row.addAll(
                        times == null
                                ? List.of(NOTHING, NOTHING, NOTHING, NOTHING)
                                : List.of(
                                        number(times.avg()),
                                        number(times.p50()),
                                        number(times.p99()),
                                        number(times.p999())));
                if (report.hasReferences(pattern, transfer)) {
                    PerftestResult reference = report.reference(point);
                    row.add(reference == null ? NOTHING : number(reference.typicalMicros()));
                    row.add(ratio(result, reference));
                }
            }
            rows.add(row);
        }
        return rows;
    }

    /**
     * The protocol overhead of ping-pong, as in the paper:
     * there, neither device nor TCP can aggregate messages.
     */
    private List<String> overhead() {
        List<Transfer> transfers = report.transfers(Pattern.PING_PONG).stream()
                .filter(transfer -> report.sizes().stream().anyMatch(size -> overheadOf(transfer, size) != null))
                .toList();
        if (transfers.isEmpty()) {
            return List.of();
        }
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("size"));
        transfers.forEach(transfer -> head.addAll(List.of(transfer + " bytes", "%")));
        rows.add(head);
        for (int size : report.sizes()) {
            List<String> row = new ArrayList<>(List.of(Sizes.format(size)));
            for (Transfer transfer : transfers) {
                Double bytes = overheadOf(transfer, size);
                row.add(bytes == null ? NOTHING : number(bytes));
                row.add(bytes == null ? NOTHING : number(100 * bytes / size));
            }
            rows.add(row);
        }
        List<String> lines = new ArrayList<>(List.of(
                "", "protocol overhead per message, from the port's counters (ping-pong, acknowledgements included)"));
        lines.addAll(Columns.align(rows));
        return lines;
    }

    private Double overheadOf(Transfer transfer, int size) {
        CaseResult result = report.result(new Case(Pattern.PING_PONG, transfer, size));
        return result == null ? null : result.overheadBytes();
    }

    private static String ratio(CaseResult result, PerftestResult reference) {
        return result == null || reference == null ? NOTHING : format("%.2f", result.ratio(reference));
    }

    /** Three digits that count, or more before the point. */
    static String number(double value) {
        if (Double.isNaN(value)) {
            return NOTHING;
        }
        double size = Math.abs(value);
        return format(size >= 100 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.4f", value);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
