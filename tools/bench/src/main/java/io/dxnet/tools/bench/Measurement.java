package io.dxnet.tools.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Warms up and measures all sizes of a plan. */
final class Measurement {
    private final Coordinator coordinator;
    private final Plan plan;
    private final Progress progress;
    private int round;

    Measurement(Coordinator coordinator, Plan plan, Progress progress) {
        this.coordinator = coordinator;
        this.plan = plan;
        this.progress = progress;
    }

    List<SizeResult> run() throws BenchException {
        List<SizeResult> results = new ArrayList<>();
        for (int size : plan.sizes()) {
            if (plan.warmupSeconds() > 0) {
                run(plan.warmup(++round, size, coordinator.ids()), "warm-up");
            }
            List<RunResult> runs = new ArrayList<>();
            for (int i = 1; i <= plan.runs(); i++) {
                runs.add(run(plan.measured(++round, size, coordinator.ids()), "run " + i + "/" + plan.runs()));
            }
            SizeResult result = new SizeResult(size, runs);
            results.add(result);
            progress.result(String.format(
                    Locale.ROOT,
                    "bench: %s B: %,.0f messages/s%s",
                    Sizes.format(size),
                    result.messagesPerSecond().avg(),
                    result.faults().any() ? ", FAULTS: " + result.faults() : ""));
        }
        return results;
    }

    private RunResult run(RoundSpec spec, String what) throws BenchException {
        progress.begin(spec.size(), what);
        RunResult result = coordinator.run(spec, progress::fraction);
        progress.end();
        return result;
    }
}
