package io.dxnet.tools.bench;

import io.dxnet.tools.report.Progress;
import io.dxnet.tools.report.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Warms up and measures all sizes of a plan. */
final class Measurement {
    private final Coordinator coordinator;
    private final Plan plan;
    private final Progress progress;
    private final List<SizeResult> results = new ArrayList<>();
    private int round;

    Measurement(Coordinator coordinator, Plan plan, Progress progress) {
        this.coordinator = coordinator;
        this.plan = plan;
        this.progress = progress;
    }

    /** The sizes that are done, also after a failure. */
    List<SizeResult> results() {
        return results;
    }

    void run() throws BenchException {
        for (int size : plan.sizes()) {
            Faults warmup = Faults.NONE;
            if (plan.warmupSeconds() > 0) {
                warmup = run(plan.warmup(++round, size, coordinator.ids()), "warm-up")
                        .faults();
            }
            List<RunResult> runs = new ArrayList<>();
            for (int i = 1; i <= plan.runs(); i++) {
                runs.add(run(plan.measured(++round, size, coordinator.ids()), "run " + i + "/" + plan.runs()));
            }
            SizeResult result = new SizeResult(size, warmup, runs);
            results.add(result);
            progress.result(String.format(
                    Locale.ROOT,
                    "bench: %s B: %,.0f messages/s%s",
                    Sizes.format(size),
                    result.messagesPerSecond().avg(),
                    result.faults().any() ? ", FAULTS: " + result.faults() : ""));
        }
    }

    private RunResult run(RoundSpec spec, String what) throws BenchException {
        progress.begin(spec.size(), what);
        RunResult result = coordinator.run(spec, progress::fraction);
        progress.end();
        return result;
    }
}
