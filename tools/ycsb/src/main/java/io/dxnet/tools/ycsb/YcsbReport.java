package io.dxnet.tools.ycsb;

import io.dxnet.tools.report.Columns;
import io.dxnet.tools.report.Csv;
import io.dxnet.tools.report.FigureChart;
import io.dxnet.tools.report.FigureChart.Dot;
import io.dxnet.tools.report.HostInfo;
import io.dxnet.tools.report.Json;
import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.SizeChart;
import io.dxnet.tools.report.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * Everything that is printed, written and drawn.
 *
 * @param transport resolved
 * @param options that were measured with
 * @param commandLine as typed
 * @param node a node's description of itself
 * @param results by the number of threads, ascending
 */
record YcsbReport(String transport, YcsbOptions options, String commandLine, String node, List<PointResult> results) {

    private static final String SOURCE = "DXNet, Figure 21";
    private static final int STYLES = 4;
    private static final List<String> HEAD = List.of(
            "threads",
            "clients",
            "gets",
            "operations",
            "ops/s",
            "min",
            "max",
            "avg µs",
            "p50",
            "p95",
            "p99",
            "p99.9",
            "max µs",
            "read p50",
            "read p99",
            "update p50",
            "update p99",
            "failed",
            "verified",
            "wrong",
            "fallbacks");

    /** Whether an operation failed or something wrong was read. */
    boolean faults() {
        return results.stream()
                .anyMatch(result -> result.failed() > 0 || result.verification().wrong() > 0);
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(workload());
        lines.add(commandLine);
        lines.add(node);
        lines.addAll(origin());
        lines.add("");
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEAD);
        results.forEach(result -> rows.add(row(result)));
        lines.addAll(Columns.align(rows));
        lines.add("");
        lines.addAll(GetsComparison.lines(results));
        lines.add(verdict());
        return lines;
    }

    private String workload() {
        return String.format(
                Locale.ROOT,
                "%s, YCSB core workload: %,d records of %d bytes, %d %% reads, %d %% updates, %s; %d storage node%s, "
                        + "%d run%s%s",
                transport,
                options.records,
                options.size,
                options.reads,
                100 - options.reads,
                options.distribution,
                options.servers,
                options.servers == 1 ? "" : "s",
                options.runs,
                options.runs == 1 ? "" : "s",
                options.verify ? ", every read verified" : "");
    }

    private static List<String> origin() {
        return List.of(HostInfo.machine(), HostInfo.java() + "; " + HostInfo.version());
    }

    private static List<String> row(PointResult r) {
        List<String> row = new ArrayList<>();
        row.add("" + r.threads());
        row.add("" + r.clients());
        row.add(r.gets().toString());
        row.add(format("%,d", r.operations()));
        Span rate = r.operationsPerSecond();
        for (double value : new double[] {rate.avg(), rate.min(), rate.max()}) {
            row.add(format("%,.0f", value));
        }
        Rtt all = r.all();
        double[] times = {
            all.avg(),
            all.p50(),
            all.p95(),
            all.p99(),
            all.p999(),
            all.max(),
            r.reads().p50(),
            r.reads().p99(),
            r.updates().p50(),
            r.updates().p99()
        };
        for (double value : times) {
            row.add(format("%,.1f", value));
        }
        row.add(format("%,d", r.failed()));
        Verification verification = r.verification();
        row.add(format("%,d", verification.right()));
        row.add(format("%,d", verification.wrong()));
        row.add(format("%,d", r.counts().fallbacks()));
        return row;
    }

    private String verdict() {
        if (faults()) {
            return "FAULTS: operations failed, or something was read that was never written.";
        }
        return options.verify
                ? "No operation failed, and every record read was as it had been written."
                : "No operation failed (--verify checks what is read, too).";
    }

    /** One object for each number of threads. */
    List<Map<String, Object>> toList() {
        List<Map<String, Object>> list = new ArrayList<>();
        for (PointResult result : results) {
            Map<String, Object> o = new LinkedHashMap<>();
            o.put("transport", transport);
            o.put("threads", result.threads());
            o.put("clients", result.clients());
            o.put("servers", options.servers);
            o.put("records", options.records);
            o.put("sizeBytes", options.size);
            o.put("readPercent", options.reads);
            o.put("distribution", options.distribution);
            o.put("gets", result.gets().toString());
            o.put("oneSided", result.gets() == GetPath.ONE_SIDED);
            o.put("operations", result.operations());
            result.operationsPerSecond().putInto(o, "operationsPerSecond");
            o.put("latencyMicros", result.all().toMap());
            o.put("readMicros", result.reads().toMap());
            o.put("updateMicros", result.updates().toMap());
            o.put("failed", result.failed());
            o.put("verified", options.verify ? result.verification().right() : null);
            o.put("wrong", options.verify ? result.verification().wrong() : null);
            o.put("fallbacks", result.counts().fallbacks());
            o.put("getAnswers", result.counts().toMap());
            o.put("runs", result.runs().size());
            o.put("machine", HostInfo.machine());
            o.put("java", HostInfo.java());
            o.put("version", HostInfo.version());
            o.put("commandLine", commandLine);
            o.put("node", node);
            list.add(o);
        }
        return list;
    }

    void writeJson(Path file) throws IOException {
        Files.writeString(file, Json.write(toList()));
    }

    /** Draws the paper's figure; returns the files. */
    List<Path> draw(Path directory) throws IOException {
        Files.createDirectories(directory);
        List<String> footer = new ArrayList<>();
        footer.add("Re-creates " + SOURCE + ".  " + workload());
        footer.add(commandLine);
        footer.add(String.join("; ", origin()));
        footer.add(node);
        FigureChart chart = new FigureChart("YCSB: latency and throughput over the number of client threads", footer)
                .powersOfTwo(
                        "Client threads",
                        results.getFirst().threads(),
                        results.getLast().threads(),
                        Integer::toString)
                .vertical(0, "Operation latency [µs]", false)
                .vertical(1, "Operation throughput [k ops/s]", false);
        List<GetPath> paths = results.stream().map(PointResult::gets).distinct().toList();
        for (int i = 0; i < paths.size(); i++) {
            GetPath path = paths.get(i);
            String suffix = paths.size() == 1 ? "" : ", gets " + path;
            chart.curve("average latency" + suffix, 0, 2 * i, 2 * i % STYLES, dots(path, PointResult::latency));
            chart.curve(
                    "throughput" + suffix,
                    1,
                    2 * i + 1,
                    (2 * i + 1) % STYLES,
                    dots(path, result -> result.operationsPerSecond().times(1e-3)));
        }
        String name = "ycsb-" + transport;
        List<Path> files = new ArrayList<>(chart.save(directory, name));
        Path csv = directory.resolve(name + ".csv");
        Csv.write(toList(), csv);
        files.add(csv);
        Path text = directory.resolve(name + ".txt");
        List<String> lines = new ArrayList<>(List.of("ycsb: re-creates " + SOURCE, ""));
        lines.addAll(lines());
        Files.write(text, lines);
        files.add(text);
        return files;
    }

    private List<Dot> dots(GetPath path, Function<PointResult, Span> value) {
        return results.stream()
                .filter(result -> result.gets() == path)
                .map(result -> new Dot(SizeChart.log2(result.threads()), value.apply(result)))
                .toList();
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
