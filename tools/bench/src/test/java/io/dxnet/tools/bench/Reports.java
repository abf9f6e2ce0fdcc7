package io.dxnet.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Reports made up for tests. */
final class Reports {
    private static final long SECOND_NS = 1_000_000_000L;

    private Reports() {}

    static Plan plan(boolean verify) {
        return new Plan(0, 1, 1, 2, 3, verify, 1L << 33, 1, 0, 15);
    }

    /** One curve over the size. */
    static Sweep sweep(Pattern pattern, List<Integer> sizes, boolean verify) {
        return new Sweep(List.of(new Setup("nio", 2, 0, null)), List.of(pattern), List.of(4), sizes, plan(verify));
    }

    static Report throughput(boolean verify, Faults faults) {
        List<Integer> sizes = IntStream.range(0, 21).map(i -> 1 << i).boxed().toList();
        return of(sweep(Pattern.UNI, sizes, verify), faults);
    }

    static Report roundTrips() {
        List<Integer> sizes = IntStream.range(0, 8).map(i -> 1 << 2 * i).boxed().toList();
        return of(sweep(Pattern.RTT, sizes, false), Faults.NONE);
    }

    /** Every point of a sweep with numbers of a likely size. */
    static Report of(Sweep sweep, Faults faults) {
        Report report = new Report(sweep, "./dxnet bench \"--x\"");
        for (Setup setup : sweep.setups()) {
            report.setNodeInfos(setup, Map.of(0, "a, b", 1, "c\\d"));
            for (Point point : sweep.points(setup)) {
                List<RunResult> runs = new ArrayList<>();
                for (int run = 0; run < 3; run++) {
                    runs.add(point.pattern().roundTrips() ? roundTrips(point, run) : stream(point, run, faults));
                }
                report.results().add(new PointResult(point, Faults.NONE, runs));
            }
        }
        return report;
    }

    private static RunResult stream(Point point, int run, Faults faults) {
        long messages = (long) (12e6 / (1 + point.size() / 500.0) * (1 + run * 0.05) / point.threads());
        Course course = point.pattern() == Pattern.SWITCH
                ? new Course(IntStream.range(0, 20)
                        .mapToDouble(i -> messages / (i < 10 ? 20.0 : 15.0))
                        .toArray())
                : null;
        return new RunResult(messages, SECOND_NS, faults, messages * 24, messages * 700, 0, Access.NONE, null, course);
    }

    private static RunResult roundTrips(Point point, int run) {
        Access access = point.pattern().accessesMemory() ? Access.ONE_SIDED : Access.NONE;
        Histogram times = new Histogram(60 * SECOND_NS, 3);
        for (int i = 1; i <= 1000; i++) {
            times.recordValue(10_000 + point.size() + (i > 990 ? i * 100L : i) + run * 1000L);
        }
        return new RunResult(1000, 20_000_000L, Faults.NONE, 100_000, 5_000_000, 0, access, times, null);
    }
}
