package io.dxnet.tools.bench;

import io.dxnet.tools.bench.nodes.Transports;

/** Estimates the duration of a sweep: known times, and guesses for what depends on the machine. */
final class Estimate {
    private static final double START_SECONDS = 0.5;
    private static final double PROCESS_SECONDS = 0.6;
    private static final double ROUND_SECONDS = 0.06;
    /** Where a number of messages is given instead of a time. */
    private static final double MESSAGES_PER_SECOND = 1e6;

    private Estimate() {}

    /** Seconds. */
    static double seconds(Sweep sweep) {
        Plan plan = sweep.plan();
        double start = 0;
        for (Setup setup : sweep.setups()) {
            boolean processes = !setup.transport().equals(Transports.LOOPBACK);
            start += START_SECONDS + (processes ? setup.nodes() * PROCESS_SECONDS : 0);
            start += plan.firstWarmupSeconds() - plan.warmupSeconds();
        }
        double perSize = 0;
        for (int size : sweep.sizes()) {
            perSize += plan.runs() * runSeconds(plan, size) + plan.warmupSeconds() + plan.rounds() * ROUND_SECONDS;
        }
        return start + perSize * sweep.points() / sweep.sizes().size();
    }

    private static double runSeconds(Plan plan, int size) {
        if (plan.messages() == 0) {
            return plan.seconds();
        }
        double byMessages = plan.messages(size) / MESSAGES_PER_SECOND;
        return plan.seconds() > 0 ? Math.min(plan.seconds(), byMessages) : byMessages;
    }

    /** In words: {@code 40 s}, {@code 3 min}, {@code 1 h 5 min}. */
    static String text(double seconds) {
        if (seconds < 90) {
            return Math.max(1, Math.round(seconds)) + " s";
        }
        long minutes = Math.round(seconds / 60);
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }
}
