package io.dxnet.tools.example;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits in tests. */
public final class Await {
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private Await() {}

    /**
     * Waits for a condition, for a minute.
     *
     * @throws AssertionError when it does not hold by then, or the thread was interrupted
     */
    public static void until(String what, BooleanSupplier condition) {
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted() || System.nanoTime() - deadlineNs > 0) {
                throw new AssertionError("waited in vain for " + what);
            }
            LockSupport.parkNanos(1_000_000);
        }
    }
}
