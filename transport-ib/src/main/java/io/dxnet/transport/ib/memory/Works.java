package io.dxnet.transport.ib.memory;

import io.dxnet.transport.memory.MemoryOperation;

/**
 * The operations of one access: those that have ended, in the order in which they are to be
 * reported, and objects for later ones. Both are lists through {@link Work#next()}, so that neither
 * needs memory. Under the access' lock.
 */
final class Works {
    private Work first; // to be reported
    private Work last; // of these; valid where there is a first one
    private Work spare; // at most as many as were under way at once

    /** {@return the first deadline of operations that were posted} */
    static long firstDeadlineNs(MemoryOperation... operations) {
        long firstNs = operations[0].deadlineNs();
        for (MemoryOperation each : operations) {
            long deadlineNs = each.deadlineNs();
            firstNs = deadlineNs - firstNs < 0 ? deadlineNs : firstNs;
        }
        return firstNs;
    }

    /**
     * An operation is to be posted.
     *
     * @param waiter the calling thread, if it waits for it; null: no thread does
     * @return what stands for it
     */
    Work begin(MemoryOperation operation, Thread waiter) {
        Work work = spare;
        if (work == null) {
            work = new Work();
        } else {
            spare = work.next();
            work.next(null);
        }
        work.begin(operation, waiter);
        return work;
    }

    /** Makes an object for the next operation, where there is none. */
    void prepare() {
        if (spare == null) {
            spare = new Work();
        }
    }

    /**
     * It is to be reported. One that was carried out, and that the calling thread waits for, is
     * reported here, where none is to be reported before it: that ends its wait, and calls nothing
     * back.
     */
    void ended(Work work) {
        if (first != null) {
            last.next(work);
            last = work;
        } else if (work.isDoneFor(Thread.currentThread())) {
            work.report();
            work.reported();
        } else {
            first = work;
            last = work;
        }
    }

    /**
     * Removes the next operation to be reported. One that was carried out, and that the calling
     * thread waits for, is reported here, as in {@link #ended}.
     *
     * @param reported the one that was reported before; null: none
     * @return null where there is none
     */
    Work nextEnded(Work reported) {
        if (reported != null) {
            recycleReported(reported);
        }
        Work next = removeEnded();
        while (next != null && next.isDoneFor(Thread.currentThread())) {
            next.report();
            recycleReported(next);
            next = removeEnded();
        }
        return next;
    }

    private Work removeEnded() {
        Work removed = first;
        if (removed != null) {
            first = removed.next();
            removed.next(null);
        }
        return removed;
    }

    private void recycleReported(Work work) {
        work.reported();
        recycle(work);
    }

    /** Keeps the object for a later operation, where nothing refers to it any more. */
    void recycle(Work work) {
        if (work.isFree()) {
            work.clear();
            work.next(spare);
            spare = work;
        }
    }
}
