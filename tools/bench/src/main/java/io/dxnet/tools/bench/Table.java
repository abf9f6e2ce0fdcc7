package io.dxnet.tools.bench;

import io.dxnet.tools.report.Columns;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Sizes;
import io.dxnet.tools.report.Span;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Prints a report for people: what is the same for all points above the table,
 * what differs in its first columns.
 */
final class Table {
    private static final String NOTHING = "-";

    /** A column and what it shows of a point. */
    private record Column(String head, Function<PointResult, String> cell) {}

    private final Report report;
    private final List<Column> columns = new ArrayList<>();

    private Table(Report report) {
        this.report = report;
        addAxes();
        addMeasured();
        addFloor();
    }

    static void print(Report report, PrintStream out) {
        lines(report).forEach(out::println);
        out.flush();
    }

    static List<String> lines(Report report) {
        List<String> lines = new ArrayList<>();
        lines.add(same(report));
        lines.add(report.commandLine());
        List<Setup> setups = report.setups();
        if (setups.size() == 1) {
            report.nodeInfos(setups.getFirst()).forEach((id, info) -> lines.add("node " + id + ": " + info));
        } else {
            setups.stream()
                    .map(Setup::transport)
                    .distinct()
                    .forEach(transport -> lines.add("node 0 with " + transport + ": " + firstNode(report, transport)));
        }
        lines.addAll(report.origin());
        lines.add("");
        lines.addAll(Columns.align(new Table(report).rows()));
        lines.add("");
        lines.add(verdict(report));
        return lines;
    }

    private static String firstNode(Report report, String transport) {
        return report.setups().stream()
                .filter(setup -> setup.transport().equals(transport))
                .findFirst()
                .map(report::firstNode)
                .orElse("");
    }

    /** What all points have in common. */
    static String same(Report report) {
        Sweep sweep = report.sweep();
        Plan plan = sweep.plan();
        List<String> words = new ArrayList<>();
        addIfOne(words, sweep.setups(), Setup::transport, "");
        if (Binding.chosen() != null) {
            words.add("binding " + Binding.chosen());
        }
        addIfOne(words, sweep.patterns(), Pattern::label, "");
        addIfOne(words, sweep.setups(), Setup::nodes, " nodes");
        addIfOne(
                words,
                sweep.threads(),
                count -> count,
                sweep.threads().getFirst() == 1 ? " sending thread each" : " sending threads each");
        List<Integer> handlers =
                sweep.setups().stream().map(report::handlers).distinct().toList();
        if (handlers.size() == 1 && handlers.getFirst() > 0) {
            words.add(handlers.getFirst() + (handlers.getFirst() == 1 ? " handler" : " handlers"));
        }
        if (sweep.setups().getFirst().parking() != null) {
            addIfOne(words, sweep.setups(), Setup::parkingLabel, " parking");
        }
        words.add(plan.runs() + (plan.runs() == 1 ? " run" : " runs"));
        if (!sweep.batches().equals(List.of(1))) {
            addIfOne(words, sweep.batches(), count -> "chains of " + count, "");
        }
        if (plan.chains() > 1) {
            words.add(plan.chains() + " chains under way");
        }
        if (plan.pauseMicros() > 0) {
            words.add("a pause of " + plan.pauseMicros() + " µs before each request");
        }
        if (plan.verify()) {
            words.add("every byte verified");
        }
        return String.join(", ", words);
    }

    private static <T> void addIfOne(List<String> words, List<T> items, Function<T, ?> value, String unit) {
        List<?> values = items.stream().map(value).distinct().toList();
        if (values.size() == 1) {
            words.add(values.getFirst() + unit);
        }
    }

    private void addAxes() {
        addIfSeveral("transport", r -> r.point().setup().transport());
        addIfSeveral("pattern", r -> r.point().pattern().label());
        addIfSeveral("nodes", r -> "" + r.point().setup().nodes());
        addIfSeveral("handlers", r -> "" + report.handlers(r.point().setup()));
        addIfSeveral("parking", r -> r.point().setup().parkingLabel());
        addIfSeveral("api", r -> r.point().api().label());
        addIfSeveral("threads", r -> "" + r.point().threads());
        addIfSeveral("batch", r -> "" + r.point().batch());
        if (report.sweep().patterns().stream().anyMatch(Pattern::accessesMemory)) {
            columns.add(new Column("access", r -> r.access().label()));
        }
        columns.add(new Column("size", r -> Sizes.format(r.size())));
    }

    private void addIfSeveral(String head, Function<PointResult, String> cell) {
        if (report.results().stream().map(cell).distinct().count() > 1) {
            columns.add(new Column(head, cell));
        }
    }

    private void addMeasured() {
        columns.add(new Column("messages", r -> format("%,d", r.messages())));
        columns.add(
                new Column("msg/s", r -> format("%,.0f", r.messagesPerSecond().avg())));
        columns.add(new Column("min", r -> format("%,.0f", r.messagesPerSecond().min())));
        columns.add(new Column("max", r -> format("%,.0f", r.messagesPerSecond().max())));
        columns.add(new Column(
                "MB/s", r -> format("%,.1f", r.payloadBytesPerSecond().avg() / 1e6)));
        if (report.roundTrips()) {
            addRtt("avg µs", Rtt::avg);
            addRtt("p50", Rtt::p50);
            addRtt("p95", Rtt::p95);
            addRtt("p99", Rtt::p99);
            addRtt("p99.9", Rtt::p999);
            addRtt("max", Rtt::max);
        }
        if (report.sweep().patterns().contains(Pattern.SWITCH)) {
            columns.add(new Column("all-to-all msg/s", r -> rate(r.beforeSwitch())));
            columns.add(new Column("ring msg/s", r -> rate(r.afterSwitch())));
        }
        if (report.plan().warmupSeconds() == 0) {
            columns.add(new Column("steady at s", r -> steady(r.steadyAtSeconds())));
        }
        columns.add(new Column(
                "alloc B/msg", r -> format("%,.1f", r.allocatedBytesPerMessage().avg())));
        columns.add(new Column(
                "CPU ns/msg", r -> format("%,.0f", r.cpuNanosPerMessage().avg())));
        addFaults("lost", "lost");
        addFaults("dup", "duplicated");
        addFaults("reord", "reordered");
        addFaults("corrupt", "corrupted");
    }

    private void addFaults(String head, String fault) {
        columns.add(new Column(head, r -> {
            Long count = report.knownFaults(r).get(fault);
            return count == null ? NOTHING : format("%,d", count);
        }));
    }

    private void addRtt(String head, ToDoubleFunction<Rtt> value) {
        columns.add(new Column(head, r -> r.rtt() == null ? NOTHING : format("%,.1f", value.applyAsDouble(r.rtt()))));
    }

    private static String rate(Span span) {
        return span == null ? NOTHING : format("%,.0f", span.avg());
    }

    private static String steady(Double seconds) {
        return seconds == null ? NOTHING : format("%.2f", seconds);
    }

    private void addFloor() {
        if (!report.hasFloor()) {
            return;
        }
        if (report.roundTrips()) {
            columns.add(new Column("raw p50", r -> {
                Floor.OfSize floor = report.floor(r);
                return floor == null || floor.rtt().isEmpty()
                        ? NOTHING
                        : format("%,.1f", floor.rttMin().p50());
            }));
        } else {
            addRawStream("raw msg/s", (r, rate) -> format("%,.0f", rate));
            addRawStream("raw MB/s", (r, rate) -> format("%,.1f", rate * r.size() / 1e6));
        }
        columns.add(new Column(
                "ours/raw", r -> report.floor(r) == null ? NOTHING : format("%.2f", report.ratioToFloor(r))));
    }

    /** What to write of a raw stream's rate beside a point. */
    private interface RawCell {
        String of(PointResult result, double rate);
    }

    private void addRawStream(String head, RawCell cell) {
        columns.add(new Column(head, r -> {
            Floor.OfSize floor = report.floor(r);
            return floor == null ? NOTHING : cell.of(r, floor.stream().avg());
        }));
    }

    private List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(columns.stream().map(Column::head).toList());
        for (PointResult result : report.results()) {
            rows.add(columns.stream().map(column -> column.cell().apply(result)).toList());
        }
        return rows;
    }

    private static String verdict(Report report) {
        Faults faults = report.faults();
        if (faults.any()) {
            return format(
                    "FAULTS: %,d lost, %,d duplicated, %,d reordered, %,d corrupted",
                    faults.lost(), faults.duplicated(), faults.reordered(), faults.corrupted());
        }
        if (!report.plan().verify() && report.sweep().patterns().stream().noneMatch(Pattern::isCounted)) {
            return "No operation failed (--verify checks the bytes too).";
        }
        return report.plan().verify()
                ? "No message was lost, duplicated, reordered or corrupted."
                : "No message was lost or duplicated (by count; --verify checks order and content too).";
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
