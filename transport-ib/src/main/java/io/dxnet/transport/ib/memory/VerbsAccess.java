package io.dxnet.transport.ib.memory;

import io.dxnet.DXNetException;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Access to a segment of another node: posting threads wait for room; the thread of all accesses,
 * or one that waits for its own operations, processes completions and reports. The lock is held for
 * posts, completions and copies, never for a callback; a thread that waits reports what it waits
 * for under the lock, where it was carried out.
 *
 * <pre>
 *                                 a thread waits for its operations
 *   the memory thread processes ------------------------------------&gt; that thread processes
 *                               &lt;------------------------------------
 *                                they are complete, or it has to park
 * </pre>
 *
 * <p>A thread whose wait is over while only operations of its own are in flight, as with several
 * chains, is back soon. The memory thread continues only {@value #ABSENCE_NS} ns later then, unless
 * another thread posts or waits, or code depends on what is in flight.
 *
 * <p>While another thread processes, the memory thread neither polls nor arms the completion queue:
 * an event for each completion would wake it for nothing. The other thread signals it afterwards
 * where something is still in flight.
 */
final class VerbsAccess implements MemoryAccess, Polled {
    /** Of a thread that does not process for operations of its own. */
    private static final Pending NOTHING = () -> false;
    /** How long a thread that processes may be absent between two waits. */
    static final long ABSENCE_NS = 1_000_000;

    private final MemoryThread thread;
    private final int owner;
    private final AccessQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final IdleStrategy strategy;

    /** The thread that processes completions; null: the memory thread. Written under the lock. */
    private volatile Thread poller;
    /** The last one, which is back soon; null: there is none. Written under the lock. */
    private volatile Thread absent;

    private long absentUntilNs; // under the lock
    private boolean isWanted; // another thread waits; the same

    /**
     * Not open yet.
     *
     * @param strategy how a thread polls before it parks, in nanoseconds
     */
    VerbsAccess(
            MemoryDevice device,
            ProtectionDomain domain,
            LocalRegions regions,
            MemoryThread thread,
            int owner,
            IdleStrategy strategy) {
        this.thread = thread;
        this.strategy = strategy;
        this.owner = owner;
        this.queue = new AccessQueue(device, domain, regions, thread.channel(), owner);
    }

    @Override
    public byte[] request() {
        return queue.pair().request().encode();
    }

    @Override
    public void open(byte[] reply) throws DXNetException {
        AccessReply remote = AccessReply.decode(reply);
        lock.lock();
        try {
            if (!queue.isNew()) {
                throw new DXNetException("the access to memory of node " + owner + " is open already, or closed");
            }
            queue.open(remote);
        } catch (VerbsException e) {
            throw new DXNetException("no access to memory of node " + owner + ": " + e.getMessage(), e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void post(MemoryOperation... operations) {
        post(NOTHING, operations);
    }

    @Override
    public void postAndPoll(Pending pending, MemoryOperation... operations) {
        try {
            post(pending, operations);
            pollUntil(pending);
        } finally {
            if (isPoller()) {
                handBack();
            }
        }
    }

    @Override
    public void poll(Pending pending) {
        lock.lock();
        boolean begins = poller == null && queue.isBusy() && !thread.isCurrent();
        if (begins) {
            beginPolling();
        } else {
            isWanted = true; // the calling thread parks
        }
        lock.unlock();
        if (begins) {
            try {
                pollUntil(pending);
            } finally {
                if (isPoller()) {
                    handBack();
                }
            }
        }
    }

    /** Under the lock. */
    private void beginPolling() {
        poller = Thread.currentThread();
        isWanted = false;
        endAbsence();
    }

    private void endAbsence() {
        if (absent != null) {
            absent = null;
        }
    }

    /**
     * Posts operations, and processes completions once where no other thread does. Where the
     * calling thread waits for the operations and that has not ended all of them, it continues
     * until it hands that back.
     *
     * @param pending {@link #NOTHING}: the thread does not wait
     */
    private void post(Pending pending, MemoryOperation... operations) {
        boolean isMemoryThread = thread.isCurrent();
        boolean wakes = false;
        boolean isBusy = false;
        Work ended = null;
        long firstNs = 0;
        lock.lock();
        try {
            if (!isAbsent()) { // that one would notice the end of these too late
                endAbsence();
            }
            try {
                append(pending == NOTHING ? null : Thread.currentThread(), operations);
            } finally {
                queue.postChain(); // what is in the chain is in flight
            }
            if (!isMemoryThread) { // that thread processes and reports when it polls again
                boolean processes = poller == null;
                if (processes) {
                    queue.process(); // a device of this machine may have carried them out
                }
                ended = queue.works().nextEnded(null);
                if (processes && pending != NOTHING && (ended != null || !pending.isDone())) {
                    beginPolling();
                }
                wakes = needsThread();
            }
            isBusy = queue.isBusy();
            if (isBusy) { // under the lock: other threads read the deadlines
                firstNs = firstDeadlineNs(operations);
            }
        } finally {
            signalAndUnlock();
        }
        if (!isMemoryThread) {
            report(ended, pending);
            if (wakes) {
                thread.raise();
            }
            if (isBusy) {
                thread.watch(firstNs);
            }
        }
    }

    private static long firstDeadlineNs(MemoryOperation... operations) {
        long firstNs = operations[0].deadlineNs();
        for (MemoryOperation each : operations) {
            long deadlineNs = each.deadlineNs();
            firstNs = deadlineNs - firstNs < 0 ? deadlineNs : firstNs;
        }
        return firstNs;
    }

    /** Appends them to the chain. */
    private void append(Thread waiter, MemoryOperation... operations) {
        Work failed = null;
        queue.timePassed();
        for (MemoryOperation each : operations) {
            Work work = queue.works().begin(each, waiter);
            if (failed == null) {
                post(work, operations[0]);
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

    /**
     * Processes completions until the operations are complete, or the thread has to park: where it
     * is the thread that processes.
     */
    private void pollUntil(Pending pending) {
        long sinceNs = 0;
        boolean waits = false;
        while (isPoller() && !pending.isDone()) {
            if (process(pending)) {
                continue;
            }
            long nowNs = System.nanoTime();
            sinceNs = waits ? sinceNs : nowNs;
            waits = true;
            if (!strategy.pause(nowNs - sinceNs)) {
                break;
            }
        }
    }

    private boolean isPoller() {
        return poller == Thread.currentThread();
    }

    private boolean isAbsent() {
        return absent == Thread.currentThread();
    }

    /** The calling thread parks, or failed. */
    private void handBack() {
        lock.lock();
        poller = null;
        boolean wakes = queue.isBusy(); // also where it is armed: what arrived before that raises no event
        lock.unlock();
        if (wakes) {
            thread.raise();
        }
    }

    /**
     * The thread's wait is over. Under the lock.
     *
     * @return whether the memory thread has to continue now
     */
    private boolean endsPolling() {
        poller = null;
        boolean isAwaited = isWanted || lock.hasWaiters(room) || queue.isAwaited();
        isWanted = false;
        if (!queue.isBusy() || isAwaited) {
            return queue.isBusy();
        }
        absent = Thread.currentThread();
        absentUntilNs = System.nanoTime() + ABSENCE_NS;
        thread.watch(absentUntilNs);
        return false;
    }

    /**
     * Ends the calling thread's polling where all that it waits for is complete. Under the lock.
     *
     * @param next what it has to report before; null: nothing
     * @return whether the memory thread has to continue
     */
    private boolean handsBack(Work next, Pending pending) {
        return next == null && isPoller() && pending.isDone() && endsPolling();
    }

    /** {@return whether no thread would notice completions. Under the lock} */
    private boolean needsThread() {
        return isThreads() && queue.isBusy() && !queue.pair().isArmed();
    }

    /** {@return whether the memory thread processes} */
    private boolean isThreads() {
        return poller == null && absent == null;
    }

    private void post(Work work, MemoryOperation first) {
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
                if (thread.isCurrent() || isPoller()) { // no other thread polls
                    if (queue.process() || !queue.isOpen()) {
                        return true;
                    }
                    Thread.onSpinWait();
                    continue;
                }
                if (isAbsent() && queue.process()) {
                    return true;
                }
                endAbsence();
                if (needsThread()) {
                    thread.raise();
                }
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

    /** There may be room, or none any more. */
    private void signalAndUnlock() {
        room.signalAll();
        lock.unlock();
    }

    /**
     * Completes operations that ended. Without the lock.
     *
     * @param first of them; null: there are none
     * @param pending of the thread that processes: it hands back where they are complete
     */
    private void report(Work first, Pending pending) {
        Work work = first;
        boolean wakes = false;
        while (work != null) {
            work.report();
            lock.lock();
            try {
                work = queue.works().nextEnded(work);
                wakes |= handsBack(work, pending);
            } finally {
                lock.unlock();
            }
        }
        if (wakes) {
            thread.raise();
        }
    }

    @Override
    public CompletionQueue queue() {
        return queue.pair().completionQueue();
    }

    @Override
    public boolean poll() {
        return isThreads() && process(NOTHING);
    }

    private boolean process(Pending pending) {
        boolean work = false;
        boolean wakes = false;
        Work ended = null;
        lock.lock();
        try {
            work = queue.process();
            ended = queue.works().nextEnded(null);
            wakes = handsBack(ended, pending);
        } finally {
            if (work) {
                room.signalAll();
            }
            lock.unlock();
        }
        if (wakes) {
            thread.raise();
        }
        report(ended, pending);
        return work || ended != null;
    }

    @Override
    public void arm() {
        lock.lock();
        try {
            if (needsThread()) {
                queue.pair().arm();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void fired() {
        lock.lock();
        queue.pair().fired();
        lock.unlock();
    }

    @Override
    public long expire(long nowNs, long limitNs) {
        long next;
        Work ended = null;
        lock.lock();
        try {
            if (absent != null && nowNs - absentUntilNs >= 0) {
                absent = null;
            }
            next = queue.expire(nowNs, limitNs, !isThreads());
            next = absent != null && absentUntilNs - next < 0 ? absentUntilNs : next;
            ended = queue.works().nextEnded(null);
        } finally {
            signalAndUnlock();
        }
        report(ended, NOTHING);
        return next;
    }

    @Override
    public void close() {
        Work ended = null;
        lock.lock();
        try {
            queue.close();
            ended = queue.works().nextEnded(null);
        } finally {
            signalAndUnlock();
        }
        thread.remove(this);
        report(ended, NOTHING);
    }
}
