package io.dxnet.tools.compare;

import io.dxnet.tools.report.Rtt;
import io.dxnet.tools.report.Sizes;
import io.dxnet.tools.report.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The one table, as cells; its first row is the head. */
final class Cells {
    private static final String NOTHING = "-";

    private Cells() {}

    static List<List<String>> of(Report report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(head(report.plan()));
        for (int size : report.plan().sizes()) {
            for (PeerResult result : report.results()) {
                if (result.skipped() == null) {
                    rows.add(row(report, result, size));
                }
            }
        }
        return rows;
    }

    private static List<String> head(Plan plan) {
        List<String> head = new ArrayList<>(List.of("size", "system", "over"));
        for (int threads : plan.threads()) {
            head.add("M msg/s, " + threads + (threads == 1 ? " thread" : " threads"));
            head.add("min..max");
            head.add("against DXNet");
            head.add("M msg/CPU-s");
        }
        head.addAll(List.of("RTT p50 µs", "p90", "p99", "p99.9", "against DXNet"));
        if (plan.connections()) {
            head.add("connections/s");
        }
        return head;
    }

    private static List<String> row(Report report, PeerResult result, int size) {
        List<String> row = new ArrayList<>(
                List.of(Sizes.format(size), result.info().title(), result.info().crosses()));
        for (int threads : report.plan().threads()) {
            Optional<Span> rate = result.rate(size, threads);
            row.add(rate.map(span -> millions(span.avg())).orElse(NOTHING));
            row.add(rate.map(span -> millions(span.min()) + ".." + millions(span.max()))
                    .orElse(NOTHING));
            row.add(against(report.rateAgainst(result, size, threads)));
            OptionalDouble perCpuSecond = result.perCpuSecond(size, threads);
            row.add(perCpuSecond.isPresent() ? millions(perCpuSecond.getAsDouble()) : NOTHING);
        }
        Optional<Rtt> rtt = result.rtt(size);
        row.add(rtt.map(times -> micros(times.p50())).orElse(NOTHING));
        row.add(rtt.map(times -> micros(times.p90())).orElse(NOTHING));
        row.add(rtt.map(times -> micros(times.p99())).orElse(NOTHING));
        row.add(rtt.map(times -> micros(times.p999())).orElse(NOTHING));
        row.add(against(report.rttAgainst(result, size)));
        if (report.plan().connections()) {
            OptionalDouble made = result.connectionsPerSecond();
            row.add(made.isPresent() ? format("%,.0f", made.getAsDouble()) : NOTHING);
        }
        return row;
    }

    private static String against(OptionalDouble value) {
        return value.isPresent() ? times(value.getAsDouble()) : NOTHING;
    }

    /** A ratio. */
    static String times(double value) {
        return format(value < 10 ? "%.2fx" : "%.0fx", value);
    }

    private static String millions(double perSecond) {
        double m = perSecond / 1e6;
        return format(m >= 10 ? "%.1f" : m >= 1 ? "%.2f" : "%.3f", m);
    }

    private static String micros(double value) {
        return format(value < 100 ? "%.1f" : "%,.0f", value);
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
