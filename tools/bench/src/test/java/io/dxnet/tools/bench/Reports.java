package io.dxnet.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Reports made up for tests. */
final class Reports {
    private Reports() {}

    static Plan plan(Pattern pattern, List<Integer> sizes, boolean verify) {
        return new Plan(pattern, sizes, 4, 0, 1, 1, 3, verify, false, 1L << 33, 15);
    }

    static Report throughput(boolean verify, Faults faults) {
        List<SizeResult> results = new ArrayList<>();
        for (int size = 1; size <= 1 << 20; size *= 2) {
            List<RunResult> runs = new ArrayList<>();
            for (int run = 0; run < 3; run++) {
                long messages = (long) (12e6 / (1 + size / 500.0) * (1 + run * 0.05));
                runs.add(new RunResult(messages, 1_000_000_000L, faults, messages * 24, null));
            }
            results.add(new SizeResult(size, Faults.NONE, runs));
        }
        return report(Pattern.UNI, verify, results);
    }

    static Report roundTrips() {
        List<SizeResult> results = new ArrayList<>();
        for (int size = 1; size <= 1 << 14; size *= 4) {
            List<RunResult> runs = new ArrayList<>();
            for (int run = 0; run < 3; run++) {
                Histogram times = new Histogram(60_000_000_000L, 3);
                for (int i = 1; i <= 1000; i++) {
                    times.recordValue(10_000 + size + (i > 990 ? i * 100L : i) + run * 1000L);
                }
                runs.add(new RunResult(1000, 20_000_000L, Faults.NONE, 100_000, times));
            }
            results.add(new SizeResult(size, Faults.NONE, runs));
        }
        return report(Pattern.RTT, false, results);
    }

    private static Report report(Pattern pattern, boolean verify, List<SizeResult> results) {
        List<Integer> sizes = results.stream().map(SizeResult::size).toList();
        Plan plan = plan(pattern, sizes, verify);
        return new Report("nio", 2, 0, plan, "./dxnet bench \"--x\"", Map.of(0, "a, b", 1, "c\\d"), results);
    }
}
