package io.dxnet.tools.bench;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Waits for the end of what it sends before the next (a closed loop: a slow end delays what is
 * behind it and is counted once), and records the times.
 */
abstract class TimedSender extends Sender {
    private static final long LONGEST_NS = Duration.ofMinutes(1).toNanos();

    private final Histogram times = new Histogram(LONGEST_NS, 3);
    private long corrupted;

    TimedSender(Round round, int thread) {
        super(round, thread);
    }

    /** Records what began at {@code startNs} and ended now. */
    final void record(long startNs) {
        times.recordValue(Math.min(System.nanoTime() - startNs, LONGEST_NS));
    }

    /** Counts an answer that was not what was asked for. */
    final void addCorrupted() {
        corrupted++;
    }

    /** The times. After the end of this thread. */
    final Histogram times() {
        return times;
    }

    /** Answers that were not what was asked for. After the end of this thread. */
    final long corrupted() {
        return corrupted;
    }
}
