package io.dxnet.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/**
 * Results as tables for the documents: one for each class,
 * its methods as columns, its parameters as rows.
 */
final class MarkdownTables {
    private final Map<String, Table> tables = new TreeMap<>();

    private MarkdownTables() {}

    /** Cells by row and column; both in the order in which they came, which is JMH's. */
    private static final class Table {
        final Map<String, Map<String, String>> rows = new LinkedHashMap<>();
        final TreeSet<String> columns = new TreeSet<>();

        String text(String title) {
            StringBuilder text = new StringBuilder("\n### " + title + "\n\n| |");
            columns.forEach(column -> text.append(" ").append(column).append(" |"));
            text.append("\n|---|").append("---:|".repeat(columns.size())).append("\n");
            rows.forEach((row, cells) -> {
                text.append("| ").append(row).append(" |");
                columns.forEach(column ->
                        text.append(" ").append(cells.getOrDefault(column, "")).append(" |"));
                text.append("\n");
            });
            return text.toString();
        }
    }

    /** The tables, after a line with their command, date, machine and JVM. */
    static String of(Collection<RunResult> results, String command) throws IOException {
        MarkdownTables tables = new MarkdownTables();
        results.forEach(tables::add);
        StringBuilder text = new StringBuilder();
        text.append("`").append(command).append("`, ").append(LocalDate.now()).append("; ");
        text.append(processor())
                .append(", ")
                .append(Runtime.getRuntime().availableProcessors())
                .append(" processors; ");
        text.append(System.getProperty("os.name"))
                .append(" ")
                .append(System.getProperty("os.version"))
                .append("; ");
        text.append(System.getProperty("java.vm.name"))
                .append(" ")
                .append(Runtime.version())
                .append("; ");
        text.append("ns/op, mean ± 99.9 % error of all forks' iterations (fastest iteration)\n");
        tables.tables.forEach((title, table) -> text.append(table.text(title)));
        return text.toString();
    }

    private void add(RunResult result) {
        BenchmarkParams params = result.getParams();
        String[] names = params.getBenchmark().split("\\.");
        StringBuilder row = new StringBuilder();
        for (String key : params.getParamsKeys()) {
            row.append(row.isEmpty() ? "" : ", ").append(key).append(" ").append(params.getParam(key));
        }
        Table table = tables.computeIfAbsent(names[names.length - 2], name -> new Table());
        String column = names[names.length - 1];
        table.columns.add(column);
        table.rows
                .computeIfAbsent(row.toString(), key -> new LinkedHashMap<>())
                .put(column, cell(result.getPrimaryResult()));
    }

    private static String cell(Result<?> result) {
        return String.format(
                "%.2f ± %.2f (%.2f)",
                result.getScore(),
                result.getScoreError(),
                result.getStatistics().getMin());
    }

    /** The name of the processor. */
    static String processor() throws IOException {
        Path info = Path.of("/proc/cpuinfo");
        if (Files.exists(info)) {
            for (String line : Files.readAllLines(info)) {
                if (line.startsWith("model name")) {
                    return line.substring(line.indexOf(':') + 1).strip();
                }
            }
        }
        return System.getProperty("os.arch");
    }
}
