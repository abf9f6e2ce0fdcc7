package io.dxnet.tools.ledger.node;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measures for how long this process did not run: it was stopped, or the machine
 * was busy. A thread of its own.
 */
final class PauseMeter implements AutoCloseable {
    private static final long STEP_MS = 20;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A bound for a machine that is busy. */
    private static final Duration END = Duration.ofSeconds(30);

    private final Thread thread;
    private volatile long pausedNs;
    private volatile boolean closed;

    PauseMeter() {
        thread = Thread.ofPlatform().name("ledger-pauses").daemon().start(this::run);
    }

    private void run() {
        long lastNs = System.nanoTime();
        while (!closed) {
            try {
                Thread.sleep(STEP_MS);
            } catch (InterruptedException e) {
                return;
            }
            long nowNs = System.nanoTime();
            if (nowNs - lastNs > PAUSE_NS) {
                pausedNs += nowNs - lastNs; // only this thread writes it
            }
            lastNs = nowNs;
        }
    }

    /** All pauses so far, nanoseconds. */
    long pausedNs() {
        return pausedNs;
    }

    /** Ends the thread, and waits for its end: it holds nothing and calls nothing. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(END);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
