package io.dxnet.tools.verbs;

import io.dxnet.tools.cli.ToolException;
import java.time.Duration;

/**
 * The idle strategy of a polling thread: it spins where there are enough
 * processors, and else yields to the thread that it waits for. It ends
 * the wait when nothing moves for too long. Used by one thread.
 */
public final class Idle {
    private static final int SPINS = 200;
    private static final int CLOCK_EVERY = 1024;

    private final String what;
    private final long stallNs;
    private final int spins;
    private int idle;
    private long idleSinceNs;

    /**
     * Starts with movement.
     *
     * @param what is waited for, for the message
     * @param stall how long nothing may move
     * @param threads how many threads poll at the same time in this
     *     benchmark, those of other processes on this machine included
     */
    public Idle(String what, Duration stall, int threads) {
        this.what = what;
        this.stallNs = stall.toNanos();
        this.spins = threads <= Runtime.getRuntime().availableProcessors() ? SPINS : 0;
    }

    /**
     * To be called in each round of a polling loop.
     *
     * @param moved whether anything was done in it
     * @throws ToolException when nothing moved for too long, or the thread was interrupted
     */
    public void step(boolean moved) {
        if (moved) {
            idle = 0;
            idleSinceNs = 0;
        } else {
            rest();
        }
    }

    private void rest() {
        idle++;
        if (idle < spins) {
            Thread.onSpinWait();
            return;
        }
        Thread.yield();
        if (idle % CLOCK_EVERY == 0) {
            checkClock();
        }
    }

    private void checkClock() {
        if (Thread.currentThread().isInterrupted()) {
            throw new ToolException(what + ": interrupted");
        }
        long now = System.nanoTime();
        if (idleSinceNs == 0) {
            idleSinceNs = now;
        } else if (now - idleSinceNs > stallNs) {
            throw new ToolException(what + ": nothing moved for " + stallNs / 1_000_000_000 + " s");
        }
    }
}
