package io.dxnet.tools.compare;

import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerException;
import io.dxnet.tools.compare.harness.PeerRun;
import io.dxnet.tools.report.Progress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs all peers in turn, two processes at a time. A peer that fails does not stop the others. */
final class Comparison {
    private final Plan plan;
    private final Progress progress;
    private final Map<String, PeerResult> results = new LinkedHashMap<>();
    private int turnsLeft;

    Comparison(Plan plan, Progress progress) {
        this.plan = plan;
        this.progress = progress;
        plan.peers().forEach(peer -> results.put(peer.info().name(), new PeerResult(peer.info())));
    }

    /** How many measurements there will be at most. */
    static int rounds(Plan plan) {
        return plan.turns().size() * plan.steps().size();
    }

    /** Measures; returns a result for each peer, in the plan's order. */
    List<PeerResult> run() {
        List<Peer> turns = plan.turns();
        turnsLeft = turns.size();
        for (Peer peer : turns) {
            PeerResult result = results.get(peer.info().name());
            if (result.skipped() == null) {
                turn(peer, result);
            }
            turnsLeft--;
            progress.result(line(result));
        }
        return new ArrayList<>(results.values());
    }

    private void turn(Peer peer, PeerResult result) {
        int done = 0;
        List<Plan.Step> steps = plan.steps();
        try (PeerRun run = new PeerRun(peer, JavaCommand.of(peer))) {
            Optional<String> cause = run.unavailabilityCause();
            if (cause.isPresent()) {
                result.skip(cause.get());
            } else {
                result.setOnThisMachine(run.onThisMachine());
            }
            for (Plan.Step step : cause.isPresent() ? List.<Plan.Step>of() : steps) {
                progress.begin(step.size(), peer.info().title() + ", " + step.title());
                measure(run, step, plan.warmupSeconds(done == 0), result);
                done++;
                progress.end();
            }
            if (plan.connections() && cause.isEmpty()) {
                run.connections(plan.workloadOfConnections(), plan.warmupSeconds(false), plan.seconds())
                        .ifPresent(result::addConnections);
            }
        } catch (PeerException e) {
            result.fail(e.getMessage());
        }
        for (; done < steps.size(); done++) {
            progress.end(); // what is left of it will not come
        }
    }

    private void measure(PeerRun run, Plan.Step step, double warmupSeconds, PeerResult result) throws PeerException {
        if (step.roundTrips()) {
            result.add(step, run.roundTrips(plan.workload(step), warmupSeconds, plan.seconds()));
        } else {
            result.add(step, run.oneWay(plan.workload(step), warmupSeconds, plan.seconds()));
        }
    }

    private String line(PeerResult result) {
        String state = "measured";
        if (result.skipped() != null) {
            state = "SKIPPED: " + result.skipped();
        } else if (!result.failures().isEmpty()) {
            state = "FAILED: " + result.failures().getLast();
        }
        return String.format(
                "compare: %s %s; about %.0f s left", result.info().title(), state, turnsLeft * plan.turnSeconds());
    }
}
