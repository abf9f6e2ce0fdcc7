package io.dxnet.transport.idle;

import java.util.function.BooleanSupplier;

/**
 * How a transport's agent waits: load-adaptive (Ibdxnet §7.2.5). From the first wait after work
 * on, it spins and yields between its polls as its {@link IdleStrategy} has it, then parks until
 * its {@link ThreadSignal} or an event.
 *
 * <p>Where a yield let another thread run, which made the work, the two share a core: spinning
 * delays both. Then the next waits yield at once, as long as that is so.
 *
 * <p>One thread at a time, not always the same.
 */
public final class IdleWait {
    /** A yield that takes longer let another thread run. */
    static final long LONG_YIELD_NS = 3_000;

    private final IdleStrategy strategy;
    private final BooleanSupplier hasWork;
    private final ThreadSignal signal;
    private boolean worked;
    private long idleSinceNs; // the begin of the first wait after work; earlier by a spin left out
    private boolean spins = true; // before it yields
    private long checkedNs = System.nanoTime();

    /**
     * Creates the wait of one agent, which has done no work yet.
     *
     * @param strategy what comes before it parks, in nanoseconds
     * @param hasWork polls for work, which ends the wait
     * @param signal how it parks
     */
    public IdleWait(IdleStrategy strategy, BooleanSupplier hasWork, ThreadSignal signal) {
        this.strategy = strategy;
        this.hasWork = hasWork;
        this.signal = signal;
        this.idleSinceNs = System.nanoTime() - strategy.end();
    }

    /** There was work: the strategy of the next wait begins anew. */
    public void worked() {
        worked = true;
    }

    /**
     * Waits for work, or for a notification.
     *
     * @param timeoutNs the longest wait, nanoseconds; 0 and less: one check
     */
    public void await(long timeoutNs) {
        long nowNs = System.nanoTime();
        long endNs = nowNs + timeoutNs;
        if (worked) {
            worked = false;
            idleSinceNs = spins ? nowNs : nowNs - strategy.spinEnd();
        }
        boolean paused = false;
        boolean found;
        do {
            found = signal.takeNotification() || hasWork.getAsBoolean();
            if (found) {
                break;
            }
            nowNs = System.nanoTime();
            paused = true;
        } while (nowNs - endNs < 0 && strategy.pause(nowNs - idleSinceNs));
        checkedNs = nowNs;
        if (paused) {
            learn(strategy.phase(nowNs - idleSinceNs), found, nowNs);
        }
        if (!found) {
            signal.park(endNs - nowNs);
        }
    }

    /** Decides whether the next waits spin: after a wait whose last pause began in a phase. */
    private void learn(IdleStrategy.Phase phase, boolean found, long pauseNs) {
        if (phase == IdleStrategy.Phase.YIELD && found) {
            long yieldNs = System.nanoTime() - pauseNs;
            // During a very long one, a thread ran that has nothing to do with the work.
            spins = yieldNs < LONG_YIELD_NS || yieldNs >= strategy.end();
        } else {
            spins = true;
        }
    }

    /** {@return about when the last wait ended, or parked} */
    public long checkedNs() {
        return checkedNs;
    }

    /** {@return whether the next wait after work spins before it yields} */
    boolean spins() {
        return spins;
    }
}
