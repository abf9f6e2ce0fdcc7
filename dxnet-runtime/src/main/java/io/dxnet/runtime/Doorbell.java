package io.dxnet.runtime;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets one thread sleep until others rang: no wake-up is lost, and ringing at a thread that is awake costs one load.
 *
 * <p>The sleeper says that it sleeps, then looks for work once more; the others publish work, then look for a sleeper. With a
 * full fence between the two on each side, one of them sees the other.
 */
final class Doorbell {
    private volatile Thread sleeper; // the sleeper sets and clears it, ringers clear it

    /**
     * Sleeps until rung, but not when there is work. One thread at a time.
     *
     * @param hasWork looked at after {@link #ring} can see the sleeper
     * @param timeoutNs the longest sleep
     */
    void await(BooleanSupplier hasWork, long timeoutNs) {
        sleeper = Thread.currentThread();
        VarHandle.fullFence();
        if (!hasWork.getAsBoolean()) {
            LockSupport.parkNanos(this, timeoutNs);
        }
        sleeper = null;
    }

    /** Wakes the sleeper, if there is one; call it after publishing the work. Any thread. */
    void ring() {
        VarHandle.fullFence();
        Thread thread = sleeper;
        if (thread != null) {
            sleeper = null;
            LockSupport.unpark(thread);
        }
    }

    /** Whether somebody sleeps; a snapshot without a fence. */
    boolean isWaiting() {
        return sleeper != null;
    }
}
