package io.dxnet.softhca;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * A lock for sections of at most a few microseconds: one compare-and-set acquires it, one release
 * store releases it. Without contention it costs a third of
 * {@link java.util.concurrent.locks.ReentrantLock}. Not reentrant, not fair.
 */
final class SpinLock {
    private static final VarHandle HELD;

    static {
        try {
            HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "held", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int SPINS = 100;
    private static final int YIELDS = 100;
    private static final long PARK_NS = 50_000;

    /** 1 while a thread holds the lock. */
    @SuppressWarnings("unused")
    private int held;

    void lock() {
        if (!HELD.compareAndSet(this, 0, 1)) {
            lockContended();
        }
    }

    /** Acquires the lock if it is free. */
    boolean tryLock() {
        return HELD.compareAndSet(this, 0, 1);
    }

    private void lockContended() {
        for (int attempt = 0; ; attempt++) {
            // Read before the attempt: a failed compare-and-set, too,
            // removes the cache line from the holder's core.
            if ((int) HELD.getOpaque(this) == 0 && HELD.compareAndSet(this, 0, 1)) {
                return;
            }
            if (attempt < SPINS) {
                Thread.onSpinWait();
            } else if (attempt < SPINS + YIELDS) {
                Thread.yield();
            } else {
                // The holder has lost its core: leave this core to other threads.
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }

    void unlock() {
        HELD.setRelease(this, 0);
    }
}
