package io.dxnet.runtime.memory;

import io.dxnet.transport.idle.BoundedWait;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the threads that access a segment, so that its owner can close it to them. Any thread. */
final class AccessGate {
    private static final long CLOSED = Long.MIN_VALUE;

    private final AtomicLong state = new AtomicLong(); // threads inside, and CLOSED

    /** Begins an access; false when the gate is closed. Each true needs an {@link #exit}. */
    boolean enter() {
        if (state.getAndIncrement() >= 0) {
            return true;
        }
        state.getAndDecrement();
        return false;
    }

    void exit() {
        state.getAndDecrement();
    }

    boolean isClosed() {
        return state.get() < 0;
    }

    /** Closes it; false when it was closed already. */
    boolean close() {
        return state.getAndUpdate(before -> before | CLOSED) >= 0;
    }

    /** Waits until no thread is inside any more; false when one still is. After {@link #close}. */
    boolean awaitEmpty(long timeoutNs) {
        return BoundedWait.until(() -> state.get() == CLOSED, timeoutNs);
    }
}
