package io.dxnet.transport.ib.memory;

import io.dxnet.transport.memory.MemoryOperation;
import java.util.ArrayDeque;

/**
 * The operations of one access: those that have ended, in the order in which they are to be
 * reported, and objects for later ones. Under the access' lock.
 */
final class Works {
    private final ArrayDeque<Work> ended = new ArrayDeque<>(); // to be reported
    private final ArrayDeque<Work> spare = new ArrayDeque<>(); // at most as many as were under way at once

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
        Work work = spare.isEmpty() ? new Work() : spare.pop();
        work.begin(operation, waiter);
        return work;
    }

    /** It is to be reported. */
    void ended(Work work) {
        ended.add(work);
    }

    /**
     * Removes the next operation to be reported. One that was carried out, and that the calling
     * thread waits for, is reported here: that ends its wait, and calls nothing back.
     *
     * @param reported the one that was reported before; null: none
     * @return null where there is none
     */
    Work nextEnded(Work reported) {
        if (reported != null) {
            recycleReported(reported);
        }
        Work next = ended.poll();
        while (next != null && next.isDoneFor(Thread.currentThread())) {
            next.report();
            recycleReported(next);
            next = ended.poll();
        }
        return next;
    }

    private void recycleReported(Work work) {
        work.reported();
        recycle(work);
    }

    /** Keeps the object for a later operation, where nothing refers to it any more. */
    void recycle(Work work) {
        if (work.isFree()) {
            work.clear();
            spare.push(work);
        }
    }
}
