package io.dxnet.transport.ib.memory;

import io.dxnet.transport.memory.MemoryOperation;
import java.util.concurrent.locks.Condition;

/** Posts operations to the queue of an access, and waits for room. Under the access' lock. */
final class Posting {
    private final AccessQueue queue;
    private final PollingDuty duty;
    private final MemoryThread thread;
    private final Condition room;

    /**
     * Posts to a queue.
     *
     * @param room signaled where there may be room, or none any more
     */
    Posting(AccessQueue queue, PollingDuty duty, MemoryThread thread, Condition room) {
        this.queue = queue;
        this.duty = duty;
        this.thread = thread;
        this.room = room;
    }

    /**
     * Posts operations as one chain. What of them the queue accepted is in flight, also where it
     * throws.
     *
     * @param waiter the calling thread, if it waits for them; null: no thread does
     */
    void post(Thread waiter, MemoryOperation... operations) {
        try {
            append(waiter, operations);
        } finally {
            queue.postChain();
        }
    }

    private void append(Thread waiter, MemoryOperation... operations) {
        Work failed = null;
        queue.timePassed();
        for (MemoryOperation each : operations) {
            Work work = queue.works().begin(each, waiter);
            if (failed == null) {
                append(work, operations[0]);
                failed = work.hasFailed() ? work : null;
            } else {
                queue.failAs(work, failed);
            }
            if (work != failed) {
                queue.postingEnds(work);
            }
        }
        if (failed != null) {
            queue.postingEnds(failed);
        }
    }

    private void append(Work work, MemoryOperation first) {
        if (!queue.prepare(work, thread.mayAccess(work.operation().local()))) {
            return;
        }
        while (!work.isPosted() && !work.isEnded()) {
            if (!queue.isOpen()) {
                queue.endAsAccess(work);
            } else if (!queue.append(work)) {
                queue.postChain();
                if (queue.isOpen() && !work.isEnded() && !awaitRoom(first.deadlineNs()) && !work.isEnded()) {
                    queue.noRoom(work);
                }
            }
        }
        queue.posted(work);
    }

    /** Waits for completions. {@return false at the deadline} */
    private boolean awaitRoom(long untilNs) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                long ns = untilNs - System.nanoTime();
                if (ns <= 0) {
                    return false;
                }
                if (thread.isCurrent() || duty.isPoller()) { // no other thread polls
                    if (queue.process() || !queue.isOpen()) {
                        return true;
                    }
                    Thread.onSpinWait();
                    continue;
                }
                if (duty.isAbsent() && queue.process()) {
                    return true;
                }
                duty.endAbsence();
                thread.raiseIf(needsThread());
                try {
                    room.awaitNanos(ns);
                    return true;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            queue.timePassed();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return whether no thread would notice completions} */
    boolean needsThread() {
        return duty.isMemoryThreads() && queue.isBusy() && !queue.pair().isArmed();
    }
}
