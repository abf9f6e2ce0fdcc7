package io.dxnet.transport.idle;

import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what no thread signals. Any thread. */
public final class BoundedWait {
    private static final long POLL_NS = 20_000;

    private BoundedWait() {}

    /**
     * Parks between checks of a condition, until it holds or the time is over. An interrupt does
     * not end the wait; the thread's flag stays set.
     *
     * @param condition is checked once at least
     * @param timeoutNs the longest wait, nanoseconds; 0: one check
     * @return whether it holds
     */
    public static boolean until(BooleanSupplier condition, long timeoutNs) {
        long deadlineNs = System.nanoTime() + timeoutNs;
        boolean interrupted = false;
        boolean holds = condition.getAsBoolean();
        while (!holds && System.nanoTime() - deadlineNs < 0) {
            interrupted |= Thread.interrupted();
            LockSupport.parkNanos(condition, POLL_NS);
            holds = condition.getAsBoolean();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return holds;
    }
}
