package io.dxnet.tools.bench;

import java.util.Arrays;
import java.util.List;

/**
 * The throughput of all nodes in the course of a run.
 *
 * @param messages processed in each interval of
 *     {@link #INTERVAL_NS}, the first one begins with the run
 */
record Course(double[] messages) {
    static final long INTERVAL_NS = 50_000_000;

    /** Intervals over which a rate is steady. */
    private static final int WINDOW = 5;

    /** The part of the steady rate that counts as reached. */
    private static final double STEADY = 0.9;

    /**
     * Adds what the nodes noted, each on its own clock since its own
     * start; between two samples the rate counts as even.
     *
     * @param timelines of the nodes, each encoded by {@link Timeline#encode}
     * @param durationNs senders stopped then: what was still under
     *     way is left out, nanoseconds; 0: they had other limits
     */
    static Course of(List<long[]> timelines, long durationNs) {
        long last = timelines.stream()
                .mapToLong(samples -> samples.length == 0 ? 0 : samples[samples.length - 2])
                .max()
                .orElse(0);
        long end = durationNs == 0 ? last : Math.min(last, durationNs);
        // A last interval that is not whole is left out.
        double[] messages = new double[(int) (end / INTERVAL_NS)];
        for (long[] samples : timelines) {
            for (int i = 0; i < messages.length; i++) {
                messages[i] += processedAt(samples, (i + 1) * INTERVAL_NS) - processedAt(samples, i * INTERVAL_NS);
            }
        }
        return new Course(messages);
    }

    /** The middle of an interval, seconds since the start. */
    static double seconds(int interval) {
        return (interval + 0.5) * INTERVAL_NS / 1e9;
    }

    /** The rate of an interval, messages per second. */
    double rate(int interval) {
        return messages[interval] * 1e9 / INTERVAL_NS;
    }

    int intervals() {
        return messages.length;
    }

    /**
     * The average rate between two parts of the run, 0 to 1,
     * messages per second; 0 where no interval is.
     */
    double rate(double from, double to) {
        int first = (int) Math.round(from * messages.length);
        int last = (int) Math.round(to * messages.length);
        double sum = 0;
        for (int i = first; i < last; i++) {
            sum += rate(i);
        }
        return last > first ? sum / (last - first) : 0;
    }

    /**
     * How long after the run's start the rate over {@link #WINDOW} intervals first was 90 % of the
     * steady rate, which is the median of the second half of the run.
     *
     * @return nanoseconds, to the end of those intervals; -1 where it never was, or
     *     the run was too short
     */
    long steadyAfterNs() {
        double[] late = Arrays.copyOfRange(messages, messages.length / 2, messages.length);
        Arrays.sort(late);
        if (late.length < WINDOW) {
            return -1;
        }
        double enough = STEADY * late[late.length / 2] * WINDOW;
        double sum = 0;
        for (int i = 0; i < messages.length; i++) {
            sum += messages[i] - (i < WINDOW ? 0 : messages[i - WINDOW]);
            if (i >= WINDOW - 1 && sum >= enough) {
                return (i + 1) * INTERVAL_NS;
            }
        }
        return -1;
    }

    /** The count at a time, in a straight line between two samples. */
    private static double processedAt(long[] samples, long ns) {
        long beforeNs = 0;
        long before = 0;
        for (int i = 0; i < samples.length; i += 2) {
            if (samples[i] >= ns) {
                double part = samples[i] == beforeNs ? 1 : (double) (ns - beforeNs) / (samples[i] - beforeNs);
                return before + part * (samples[i + 1] - before);
            }
            beforeNs = samples[i];
            before = samples[i + 1];
        }
        return before;
    }
}
