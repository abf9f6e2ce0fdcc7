package io.dxnet.transport.ib.memory;

import io.dxnet.transport.memory.MemoryOperation;

/**
 * The time at which a chain is posted, of which the clock is read once, and again after a wait: a
 * reading costs as much as a device of this process needs for a whole operation. Under the access'
 * lock.
 */
final class PostingTime {
    private boolean isKnown;
    private long nowNs;

    /** A chain begins, or a thread has waited. */
    void passed() {
        isKnown = false;
    }

    /** {@return whether an operation's deadline is over; one whose time is open begins now} */
    boolean isLate(MemoryOperation operation) {
        if (!operation.hasDeadline()) {
            return false;
        }
        if (!isKnown) {
            isKnown = true;
            nowNs = System.nanoTime();
        }
        return nowNs - operation.deadlineNs() >= 0;
    }
}
