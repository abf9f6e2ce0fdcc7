package io.dxnet.transport.ib.memory;

import io.dxnet.DXNetException;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;
import io.dxnet.transport.memory.MemoryOperation.Kind;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Access to a segment of another node: posting threads wait for room; the thread of all accesses,
 * or one that posts operations or waits for its own, processes completions and reports. The lock
 * is held for posts, completions and copies, never for a callback; a thread that waits reports
 * what it waits for under the lock, where it was carried out.
 *
 * <p>Which thread processes, {@link PollingDuty} has. While another one does, the memory thread
 * does not arm the completion queue, and polls it only when it checks deadlines and one has passed,
 * or further threads wait: an event for each completion would wake it for nothing. The other thread
 * signals it afterwards where something is still in flight. One whose wait is over while only
 * operations of its own are in flight, as with several chains, is back soon: then the memory thread
 * continues later, unless another thread posts or waits, or code depends on what is in flight.
 */
final class VerbsAccess implements MemoryAccess, Polled {
    /** Of a thread that does not wait for operations of its own. */
    private static final Pending NOTHING = () -> false;

    private final MemoryThread thread;
    private final int owner;
    private final AccessQueue queue;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition room = lock.newCondition();
    private final IdleStrategy strategy;
    private final PollingDuty duty = new PollingDuty();
    private final Posting posting;
    private Awaited reserved; // for an operation that is posted first; null: none

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
        this.posting = new Posting(queue, duty, thread, room);
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
            handBack();
        }
    }

    @Override
    public void poll(Pending pending) {
        lock.lock();
        if (duty.isFree() && queue.isBusy() && !thread.isCurrent()) {
            duty.begin();
        } else {
            duty.want(); // the calling thread parks
        }
        lock.unlock();
        try {
            pollUntil(pending); // where it has begun
        } finally {
            handBack();
        }
    }

    @Override
    public Awaited move(Kind kind, long offset, MemorySegment local, long length, Source source) {
        Awaited awaited;
        Pending pending;
        MemoryOperation[] operations;
        boolean isPosted = false;
        lock.lock();
        LoneMove lone = queue.lone();
        try {
            lone.checkRecorded();
            if (lone.isPossible(length) && duty.isFree() && !thread.isCurrent()) {
                reserve(source);
                if (lone.post(kind, offset, local, (int) length) == LoneMove.Progress.DONE) {
                    return null;
                }
            }
            awaited = reserved == null ? source.acquire() : reserved;
            reserved = null;
            operations = awaited.begin(kind, offset, local, length);
            endAbsence();
            if (lone.isPosted()) {
                lone.record(operations[0], Thread.currentThread());
            } else {
                posting.post(Thread.currentThread(), operations);
            }
            pending = awaited.pending();
            isPosted = true;
        } finally {
            if (!isPosted) {
                try {
                    lone.checkRecorded();
                } finally {
                    signalAndUnlock();
                }
            }
        }
        try {
            processAndUnlock(pending, operations);
            pollUntil(pending);
        } finally {
            handBack();
        }
        return awaited;
    }

    /** What stands for an operation that is posted first needs no memory then. */
    private void reserve(Source source) {
        queue.works().prepare();
        if (reserved == null) {
            reserved = source.acquire();
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
        boolean isPosted = false;
        lock.lock();
        try {
            queue.lone().checkRecorded();
            endAbsence();
            posting.post(pending == NOTHING ? null : Thread.currentThread(), operations);
            isPosted = true;
        } finally {
            if (!isPosted) {
                signalAndUnlock();
            }
        }
        processAndUnlock(pending, operations);
    }

    /** Of another thread, which would notice the end of these too late. */
    private void endAbsence() {
        if (!duty.isAbsent()) {
            duty.endAbsence();
        }
    }

    /** After operations were posted. */
    private void processAndUnlock(Pending pending, MemoryOperation... operations) {
        boolean isMemoryThread = false;
        boolean wakes = false;
        boolean isBusy = false;
        Work ended = null;
        long firstNs = 0;
        try {
            isMemoryThread = thread.isCurrent();
            if (!isMemoryThread) { // that thread processes and reports when it polls again
                boolean processes = duty.isFree();
                if (processes) {
                    queue.process(); // a device of this machine may have carried them out
                }
                ended = queue.works().nextEnded(null);
                if (processes && pending != NOTHING && (ended != null || !pending.isDone())) {
                    duty.begin();
                } else if (!processes && pending != NOTHING && !pending.isDone()) {
                    duty.want();
                }
                wakes = posting.needsThread();
            }
            isBusy = queue.isBusy();
            if (isBusy) { // under the lock: other threads read the deadlines
                firstNs = Works.firstDeadlineNs(operations);
            }
        } finally {
            signalAndUnlock();
        }
        if (!isMemoryThread) {
            report(ended, pending);
            thread.raiseIf(wakes);
            if (isBusy) {
                thread.watch(firstNs);
            }
        }
    }

    /**
     * Processes completions until the operations are complete, or the thread has to park: where it
     * is the thread that processes.
     */
    private void pollUntil(Pending pending) {
        long sinceNs = 0;
        boolean waits = false;
        while (duty.isPoller() && !pending.isDone()) {
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

    /** The calling thread parks, failed, or has nothing to wait for: it processes no more. */
    private void handBack() {
        if (!duty.isPoller()) {
            return;
        }
        lock.lock();
        duty.end();
        boolean wakes = queue.isBusy(); // also where it is armed: what arrived before that raises no event
        lock.unlock();
        thread.raiseIf(wakes);
    }

    /**
     * Ends the calling thread's polling where its wait is over. Under the lock.
     *
     * @param next what it has to report before; null: nothing
     * @return whether the memory thread has to continue now
     */
    private boolean handsBack(Work next, Pending pending) {
        if (next != null || !duty.isPoller() || !pending.isDone()) {
            return false;
        }
        boolean isAwaited = duty.isWanted() || lock.hasWaiters(room) || queue.isAwaited();
        if (isAwaited || !queue.isBusy()) {
            duty.end();
            return queue.isBusy();
        }
        thread.watch(duty.leave());
        return false;
    }

    /** There may be room, or none any more. */
    private void signalAndUnlock() {
        try {
            room.signalAll();
        } finally {
            lock.unlock();
        }
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
        thread.raiseIf(wakes);
    }

    @Override
    public CompletionQueue queue() {
        return queue.pair().completionQueue();
    }

    @Override
    public boolean poll() {
        return duty.isMemoryThreads() && process(NOTHING);
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
            signalAndUnlock();
        }
        thread.raiseIf(wakes);
        report(ended, pending);
        return work || ended != null;
    }

    @Override
    public void arm() {
        lock.lock();
        try {
            if (posting.needsThread()) {
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
            duty.timePassed(nowNs);
            boolean isPolled = !duty.isMemoryThreads() && !duty.isWanted() && !lock.hasWaiters(room);
            next = duty.limit(queue.expire(nowNs, limitNs, isPolled));
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
