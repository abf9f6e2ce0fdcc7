package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.Faults;
import io.dxnet.tools.report.Columns;
import io.dxnet.tools.report.HostInfo;
import io.dxnet.tools.report.Sizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report for a terminal; {@link Markdown} has the same sentences. */
final class Text {
    private Text() {}

    static List<String> lines(Report report) {
        List<String> lines = new ArrayList<>(heading(report));
        lines.add("");
        lines.addAll(Columns.align(Cells.of(report)));
        lines.add("");
        lines.addAll(verdicts(report));
        return lines;
    }

    /** What the table is of. */
    static List<String> heading(Report report) {
        return List.of(
                HostInfo.machine() + "; " + HostInfo.java(),
                report.commandLine(),
                "Two processes on this machine, loopback addresses. Against DXNet: how many times DXNet's speed (rate, or median round "
                        + "trip); above 1 the other one wins. CPU-s: seconds of processor time, user and system, of all processes of a "
                        + "system while its rate was measured.");
    }

    /**
     * The measures in which peers win, the messages that were
     * lost, and the peers that were skipped or failed.
     */
    static List<String> verdicts(Report report) {
        List<String> lines = new ArrayList<>(losses(report));
        for (PeerResult result : report.results()) {
            Faults faults = result.faults();
            if (faults.any()) {
                lines.add(String.format(
                        "FAULTS of %s: %,d lost, %,d duplicated, %,d reordered, %,d corrupted",
                        result.info().title(),
                        faults.lost(),
                        faults.duplicated(),
                        faults.reordered(),
                        faults.corrupted()));
            }
            if (result.skipped() != null) {
                lines.add("SKIPPED " + result.info().title() + ": " + result.skipped());
            }
            if (!result.silences().isEmpty()) {
                lines.add("NOTHING CAME of " + result.info().title() + ": " + String.join("; ", result.silences()));
            }
            result.failures()
                    .forEach(failure -> lines.add("FAILED " + result.info().title() + ": " + failure));
        }
        if (report.results().stream().allMatch(Text::isWhole)) {
            lines.add(
                    report.plan().verify()
                            ? "No message was lost, duplicated, reordered or corrupted (every payload was checked)."
                            : "No message was lost or duplicated (by count; --verify checks order and content too).");
        }
        return lines;
    }

    private static boolean isWhole(PeerResult result) {
        return result.failures().isEmpty()
                && result.silences().isEmpty()
                && !result.faults().any();
    }

    /** A line for each peer and measure, with all sizes in which it wins. */
    private static List<String> losses(Report report) {
        Map<String, List<String>> byPeer = new LinkedHashMap<>();
        for (Report.Loss loss : report.losses()) {
            String key = loss.winner().title() + " (" + loss.winner().crosses() + ") wins, "
                    + loss.step().title();
            byPeer.computeIfAbsent(key, k -> new ArrayList<>())
                    .add(Sizes.format(loss.step().size()) + " B " + Cells.times(loss.against()));
        }
        List<String> lines = new ArrayList<>();
        byPeer.forEach((peer, sizes) -> lines.add(peer + ": " + String.join(", ", sizes)));
        if (lines.isEmpty()) {
            long compared = report.compared();
            lines.add(
                    compared == 0
                            ? "No peer was compared with DXNet."
                            : "No peer is faster than DXNet in any of the " + compared
                                    + " rates and median round trips that were compared.");
        }
        return lines;
    }
}
