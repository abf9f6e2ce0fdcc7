package io.dxnet.tools.ycsb;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Gets by memory beside gets by messages: their fallbacks, and which are faster. */
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
        double ratio = memory.reads().p50() / messages.reads().p50();
        return format(
                "%d threads, get p50 and p99: memory %,.1f and %,.1f µs, messages %,.1f and %,.1f µs; %s at the median; "
                        + "%,.0f and %,.0f operations/s",
                memory.threads(),
                memory.reads().p50(),
                memory.reads().p99(),
                messages.reads().p50(),
                messages.reads().p99(),
                ratio > 1
                        ? format("memory LOSES by %.2f times", ratio)
                        : format("memory is faster by %.2f times", 1 / ratio),
                memory.operationsPerSecond().avg(),
                messages.operationsPerSecond().avg());
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
