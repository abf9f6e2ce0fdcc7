package io.dxnet.runtime.thread;

import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread sleep until another one raises the signal: no wake-up is lost,
 * and a signal to a thread that is awake costs one load.
 *
 * <p>The sleeper publishes that it sleeps, then checks for work once more;
 * the others publish work, then check for a sleeper. With a full fence between the
 * two on each side, one of them sees the other.
 */
public final class ThreadSignal {
    private volatile @Nullable Thread sleeper; // the sleeper sets and clears it, raising threads clear it

    /**
     * Sleeps until the signal is raised, but not when there is work. One thread at a time.
     *
     * @param hasWork called after {@link #raise} can see the sleeper
     * @param timeoutNs the longest sleep
     */
    public void await(BooleanSupplier hasWork, long timeoutNs) {
        sleeper = Thread.currentThread();
        VarHandle.fullFence();
        if (!hasWork.getAsBoolean()) {
            LockSupport.parkNanos(this, timeoutNs);
        }
        sleeper = null;
    }

    /** Wakes the sleeper, if there is one; call it after publishing the work. Any thread. */
    public void raise() {
        VarHandle.fullFence();
        Thread thread = sleeper;
        if (thread != null) {
            sleeper = null;
            LockSupport.unpark(thread);
        }
    }

    /** {@return whether a thread sleeps; a snapshot without a fence} */
    public boolean isWaiting() {
        return sleeper != null;
    }
}
