package io.dxnet.tools.ycsb;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * The run that is being measured, and the results of all
 * runs. One thread opens and closes; all others add.
 */
final class Window {
    /** No run is measured. */
    static final int CLOSED = -1;

    private static final long LONGEST_NS = 60_000_000_000L;
    private static final long SHORTEST_NS = 1000;
    /** One percent: 1280 threads have two histograms each. */
    private static final int DIGITS = 2;

    private final List<Run> runs = new ArrayList<>();
    private volatile int current = CLOSED;

    /** The results of one run. */
    static final class Run {
        private final Histogram reads = histogram();
        private final Histogram updates = histogram();
        private long beginNs;
        private long endNs;
        private long failed;

        /** Times of reads, nanoseconds; after the end of all threads. */
        Histogram reads() {
            return reads;
        }

        /** Times of updates, nanoseconds; after the end of all threads. */
        Histogram updates() {
            return updates;
        }

        /** Times of all operations, nanoseconds; after the end of all threads. */
        Histogram all() {
            Histogram all = reads.copy();
            all.add(updates);
            return all;
        }

        /** Operations that got no answer, or found no record. */
        long failed() {
            return failed;
        }

        double operationsPerSecond() {
            return (reads.getTotalCount() + updates.getTotalCount()) * 1e9 / (endNs - beginNs);
        }
    }

    static Histogram histogram() {
        return new Histogram(SHORTEST_NS, LONGEST_NS, DIGITS);
    }

    /** A time that a histogram can hold. */
    static long inRange(long ns) {
        return Math.min(ns, LONGEST_NS);
    }

    /** Begins the next run. */
    void open() {
        Run run = new Run();
        synchronized (this) {
            runs.add(run);
        }
        run.beginNs = System.nanoTime();
        current = runs.size() - 1;
    }

    /** Ends the run. */
    void close() {
        int ended = current;
        current = CLOSED;
        runs.get(ended).endNs = System.nanoTime();
    }

    /** The number of the run that is measured now, or {@link #CLOSED}. */
    int current() {
        return current;
    }

    /** Adds what one thread measured in a run. */
    synchronized void add(int run, Histogram reads, Histogram updates, long failed) {
        runs.get(run).reads.add(reads);
        runs.get(run).updates.add(updates);
        runs.get(run).failed += failed;
    }

    /** After the end of all threads. */
    List<Run> runs() {
        return runs;
    }
}
