package io.dxnet.tools.bench;

import io.dxnet.tools.report.Progress;
import io.dxnet.tools.report.Sizes;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Warms up and measures all points of a setup. */
final class Measurement {
    private final Coordinator coordinator;
    private final Sweep sweep;
    private final Setup setup;
    private final Progress progress;
    private int round;

    Measurement(Coordinator coordinator, Sweep sweep, Setup setup, Progress progress) {
        this.coordinator = coordinator;
        this.sweep = sweep;
        this.setup = setup;
        this.progress = progress;
    }

    /**
     * Adds each point to {@code results} when it is done, so that those
     * before a failure are not lost.
     */
    void run(List<PointResult> results) {
        Plan plan = sweep.plan();
        int[] ids = coordinator.ids();
        boolean first = true;
        for (Point point : sweep.points(setup)) {
            Faults warmup = Faults.NONE;
            if (plan.warmupSeconds() > 0) {
                warmup = run(plan.warmup(++round, point, first, ids), "warm-up").faults();
            }
            first = false;
            List<RunResult> runs = new ArrayList<>();
            for (int i = 1; i <= plan.runs(); i++) {
                runs.add(run(plan.measured(++round, point, ids), "run " + i + "/" + plan.runs()));
            }
            PointResult result = new PointResult(point, warmup, runs);
            results.add(result);
            progress.result(String.format(
                    Locale.ROOT,
                    "bench: %s%s B: %,.0f messages/s%s",
                    sweep.severalCurves() ? describe(point) : "",
                    Sizes.format(point.size()),
                    result.messagesPerSecond().avg(),
                    result.faults().any() ? ", FAULTS: " + result.faults() : ""));
        }
    }

    private static String describe(Point point) {
        Setup setup = point.setup();
        return String.format(
                "%s %s, %s, %d nodes, %d threads%s%s%s, ",
                setup.transport(),
                point.pattern().label(),
                point.api().label(),
                setup.nodes(),
                point.threads(),
                point.batch() == 1 ? "" : ", chains of " + point.batch(),
                setup.handlers() == 0 ? "" : ", " + setup.handlers() + " handlers",
                setup.parking() == null ? "" : ", " + setup.parkingLabel() + " parking");
    }

    private RunResult run(RoundSpec spec, String what) {
        progress.begin(spec.size(), what);
        RunResult result = coordinator.run(spec, progress::fraction);
        progress.end();
        return result;
    }
}
