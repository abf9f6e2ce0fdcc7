package io.dxnet.tools.bench;

import io.dxnet.tools.report.Columns;
import io.dxnet.tools.report.HostInfo;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Sizes;
import io.dxnet.tools.report.Span;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints a report for people. */
final class Table {
    private Table() {}

    static void print(Report report, PrintStream out) {
        lines(report).forEach(out::println);
        out.flush();
    }

    static List<String> lines(Report report) {
        Plan plan = report.plan();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                "%s, %s, %d nodes, %d sending thread%s each, %s%d run%s%s",
                report.transport(),
                plan.pattern().label(),
                report.nodes(),
                plan.threads(),
                plan.threads() == 1 ? "" : "s",
                report.handlers() == 0
                        ? ""
                        : report.handlers() + (report.handlers() == 1 ? " handler, " : " handlers, "),
                plan.runs(),
                plan.runs() == 1 ? "" : "s",
                plan.verify() ? ", every byte verified" : ""));
        report.nodeInfos().forEach((id, info) -> lines.add("node " + id + ": " + info));
        lines.add(HostInfo.machine() + "; " + HostInfo.java());
        lines.add("");
        lines.addAll(Columns.align(rows(report)));
        lines.add("");
        lines.add(verdict(report));
        return lines;
    }

    private static List<List<String>> rows(Report report) {
        boolean roundTrips = report.plan().pattern() == Pattern.RTT;
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(List.of("size", "messages", "msg/s", "min", "max", "MB/s"));
        if (roundTrips) {
            head.addAll(List.of("avg µs", "p50", "p95", "p99", "p99.9", "max"));
        }
        head.addAll(List.of("alloc B/msg", "lost", "dup", "reord", "corrupt"));
        if (report.hasFloor()) {
            head.addAll(roundTrips ? List.of("raw p50", "ours/raw") : List.of("raw msg/s", "raw MB/s", "ours/raw"));
        }
        rows.add(head);
        for (SizeResult result : report.results()) {
            rows.add(row(report, result));
        }
        return rows;
    }

    private static List<String> row(Report report, SizeResult result) {
        Span rate = result.messagesPerSecond();
        List<String> row = new ArrayList<>(List.of(
                Sizes.format(result.size()),
                format("%,d", result.messages()),
                format("%,.0f", rate.avg()),
                format("%,.0f", rate.min()),
                format("%,.0f", rate.max()),
                format("%,.1f", result.payloadBytesPerSecond().avg() / 1e6)));
        Rtt rtt = result.rtt();
        if (rtt != null) {
            for (double value : new double[] {rtt.avg(), rtt.p50(), rtt.p95(), rtt.p99(), rtt.p999(), rtt.max()}) {
                row.add(format("%,.1f", value));
            }
        }
        row.add(format("%,.1f", result.allocatedBytesPerMessage().avg()));
        Faults faults = result.faults();
        boolean verified = report.plan().verify();
        row.add(format("%,d", faults.lost()));
        row.add(format("%,d", faults.duplicated()));
        row.add(verified ? format("%,d", faults.reordered()) : "-");
        row.add(verified ? format("%,d", faults.corrupted()) : "-");
        Floor.OfSize floor = report.floor(result.size());
        if (floor != null) {
            if (rtt != null) {
                row.add(format("%,.1f", floor.rttMin().p50()));
            } else {
                row.add(format("%,.0f", floor.stream().avg()));
                row.add(format("%,.1f", floor.stream().avg() * result.size() / 1e6));
            }
            row.add(format("%.2f", report.ratioToFloor(result)));
        }
        return row;
    }

    private static String verdict(Report report) {
        Faults faults = report.results().stream().map(SizeResult::faults).reduce(Faults.NONE, Faults::plus);
        if (faults.any()) {
            return format(
                    "FAULTS: %,d lost, %,d duplicated, %,d reordered, %,d corrupted",
                    faults.lost(), faults.duplicated(), faults.reordered(), faults.corrupted());
        }
        return report.plan().verify()
                ? "No message was lost, duplicated, reordered or corrupted."
                : "No message was lost or duplicated (by count; --verify checks order and content too).";
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
