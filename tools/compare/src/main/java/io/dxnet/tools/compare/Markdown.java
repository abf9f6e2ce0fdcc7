package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.PeerInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The report as a page. */
final class Markdown {
    private Markdown() {}

    static List<String> lines(Report report) {
        List<String> lines = new ArrayList<>(List.of("# DXNet and its peers", ""));
        Text.heading(report).forEach(line -> lines.addAll(List.of(line, "")));
        lines.add("![rates and round trips](" + ReportFiles.NAME + ".svg)");
        lines.add("");
        List<List<String>> cells = Cells.of(report);
        lines.add(row(cells.getFirst()));
        lines.add("|" + "---|".repeat(cells.getFirst().size()));
        cells.stream().skip(1).map(Markdown::row).forEach(lines::add);
        lines.add("");
        Text.verdicts(report).forEach(line -> lines.add("- " + line.replace("\n", " ")));
        lines.addAll(List.of("", "## How each is configured", ""));
        report.results().forEach(result -> lines.addAll(List.of(describe(result.info()) + onThisMachine(result), "")));
        return lines;
    }

    private static String row(List<String> cells) {
        return cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |"));
    }

    private static String onThisMachine(PeerResult result) {
        return result.onThisMachine().isEmpty() ? "" : " On this machine: " + result.onThisMachine() + ".";
    }

    /** A paragraph about a peer. */
    static String describe(PeerInfo info) {
        return "**" + info.title() + "** (`" + info.name() + "`, " + info.version() + ", over " + info.crosses() + "): "
                + info.configuration() + ". Source: " + info.source() + ". Does not do, which DXNet does: "
                + info.lacks()
                + ". Does, which DXNet does not: " + info.adds() + ".";
    }
}
