package io.dxnet.tools.ycsb;

import io.dxnet.tools.report.Rtt;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Gets by memory beside gets by messages: their fallbacks, and where they lose. */
final class GetsComparison {
    private GetsComparison() {}

    /** {@return lines of the report; none where all gets were by messages} */
    static List<String> lines(List<PointResult> results) {
        List<String> lines = new ArrayList<>();
        for (PointResult memory : results) {
            if (memory.gets() == GetPath.MESSAGES) {
                continue;
            }
            lines.add(fallbacks(memory));
            results.stream()
                    .filter(other -> other.gets() == GetPath.MESSAGES && other.threads() == memory.threads())
                    .findFirst()
                    .ifPresent(messages -> lines.add(beside(memory, messages)));
        }
        return lines;
    }

    private static String fallbacks(PointResult memory) {
        GetCounts counts = memory.counts();
        List<String> reasons = new ArrayList<>();
        for (GetAnswer answer : GetAnswer.values()) {
            if (answer != GetAnswer.MEMORY && counts.of(answer) > 0) {
                reasons.add(format("%,d %s", counts.of(answer), answer.text()));
            }
        }
        return format(
                "%d threads, gets %s: %,d answered from memory, %,d by a message%s",
                memory.threads(),
                memory.gets(),
                counts.of(GetAnswer.MEMORY),
                counts.fallbacks(),
                reasons.isEmpty() ? "" : ": " + String.join(", ", reasons));
    }

    private static String beside(PointResult memory, PointResult messages) {
        Rtt gets = memory.reads();
        Rtt others = messages.reads();
        double rate = memory.operationsPerSecond().avg();
        double otherRate = messages.operationsPerSecond().avg();
        return format(
                "%d threads, gets by memory and by messages: p50 %,.1f and %,.1f µs, p99 %,.1f and %,.1f µs, "
                        + "%,.0f and %,.0f operations/s; %s",
                memory.threads(),
                gets.p50(),
                others.p50(),
                gets.p99(),
                others.p99(),
                rate,
                otherRate,
                verdict(gets.p50() / others.p50(), gets.p99() / others.p99(), otherRate / rate));
    }

    /** States where gets by memory lose; each factor is above 1 where they do. */
    static String verdict(double median, double tail, double rate) {
        List<String> losses = new ArrayList<>();
        addLoss(losses, "p50", median);
        addLoss(losses, "p99", tail);
        addLoss(losses, "operations/s", rate);
        return losses.isEmpty() ? "memory loses in none" : "memory loses in " + String.join(", ", losses);
    }

    private static void addLoss(List<String> losses, String what, double factor) {
        if (factor > 1) {
            losses.add(format("%s (%.2f times)", what, factor));
        }
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
