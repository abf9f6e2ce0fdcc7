package io.dxnet.transport.idle;

import java.util.function.BooleanSupplier;

/**
 * How a transport's agent waits: load-adaptive (Ibdxnet §7.2.5). From the first wait after work
 * on, it spins and yields between its polls as its {@link IdleStrategy} has it, then parks until
 * its {@link ThreadSignal} or an event.
 *
 * <p>One thread at a time, not always the same.
 */
public final class IdleWait {
    private final IdleStrategy strategy;
    private final BooleanSupplier hasWork;
    private final ThreadSignal signal;
    private boolean worked;
    private long idleSinceNs; // the begin of the first wait after work

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
            idleSinceNs = nowNs;
        }
        do {
            if (signal.takeNotification() || hasWork.getAsBoolean()) {
                return;
            }
            nowNs = System.nanoTime();
        } while (nowNs - endNs < 0 && strategy.pause(nowNs - idleSinceNs));
        signal.park(endNs - nowNs);
    }
}
