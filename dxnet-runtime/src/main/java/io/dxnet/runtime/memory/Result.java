package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteMemoryException.Outcome;
import io.dxnet.runtime.thread.Completions;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.idle.IdleStrategy;
import io.dxnet.transport.memory.MemoryAccess;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of operations that were posted together: a thread waits, or a future is completed,
 * when all of them have ended. What was written before an operation ended is visible to the thread
 * that finds none open.
 */
final class Result extends Completions.Completion implements MemoryAccess.Pending {
    private static final long[] NONE = {};
    /** How much longer than its deadline an operation is waited for, before that is an error. */
    private static final long GRACE_NS = 2_000_000_000L;

    /** How long a thread polls that has other work: as an idle agent does by default. */
    private static final long POLL_NS = 120_000;

    private record Copy(MemorySegment from, MemorySegment to) {}

    private final Failures failures;
    private final @Nullable Thread poster; // null where a thread waits
    private @Nullable Thread waiter; // null where a future is completed; changed before it is posted
    private final @Nullable CompletableFuture<long[]> future; // null where a thread waits
    private final @Nullable Completions completions; // the same
    private final List<Copy> copies = new ArrayList<>(0); // before it is posted
    private long[] previous = NONE; // of the atomics; each by the thread that ends it
    private int atomics; // before it is posted
    private final AtomicInteger open = new AtomicInteger(1); // operations that have not ended
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>(); // the first one
    private @Nullable Parts failedParts; // of the write of which that one is a part: the thread that set it
    private volatile @Nullable Thread helper; // that posts or waits, and may end operations
    private @Nullable Briefly briefly; // before it is posted
    private @Nullable Thread lastHelper; // that ended the last operation, and completes the future

    /** One that the calling thread waits for. */
    Result(Failures failures) {
        this.failures = failures;
        this.poster = null;
        this.waiter = Thread.currentThread();
        this.future = null;
        this.completions = null;
    }

    /** One that completes a future with what the atomics returned. The calling thread posts it. */
    Result(Failures failures, CompletableFuture<long[]> future, Completions completions) {
        this.failures = failures;
        this.poster = Thread.currentThread();
        this.waiter = null;
        this.future = future;
        this.completions = completions;
    }

    /** {@return the place of one more atomic} Before it is posted. */
    int atomic() {
        return atomics++;
    }

    /** When all is done, copies what was read. Before it is posted. */
    void copyWhenDone(MemorySegment from, MemorySegment to) {
        copies.add(new Copy(from, to));
    }

    /** It is about to be posted, as so many operations. */
    void begin(int operations) {
        open.setRelease(operations);
        previous = atomics == 0 ? NONE : new long[atomics];
    }

    /** It will stand for one operation after the other: what a wait needs is made now. */
    void keep() {
        briefly = new Briefly();
    }

    /** It stands for so many other operations now, which the calling thread waits for. */
    void beginAgain(int operations) {
        waiter = Thread.currentThread();
        open.setRelease(operations);
    }

    /**
     * An operation was carried out.
     *
     * @param place of an atomic; otherwise -1
     */
    void done(int place, long before) {
        if (place >= 0) {
            previous[place] = before;
        }
        end();
    }

    void failed(Exception cause) {
        failed(cause, null);
    }

    /**
     * One failed.
     *
     * @param parts of the write of which it is a part
     */
    void failed(Exception cause, @Nullable Parts parts) {
        if (failure.compareAndSet(null, cause)) { // needs no memory
            failedParts = parts;
        }
        end();
    }

    private void end() {
        Thread waiting = waiter; // once none is open, it may stand for another operation
        if (waiting == Thread.currentThread() && open.get() == 1) {
            open.setRelease(0); // the last one: no other thread changes it
            return;
        }
        // A fence before the unpark: of a virtual thread with a permit, that only reads the permit.
        if (open.decrementAndGet() > 0) {
            return;
        }
        if (completions != null) {
            if (helper == Thread.currentThread()) {
                lastHelper = Thread.currentThread();
            } else {
                completions.add(this);
            }
        } else if (waiting != Thread.currentThread()) {
            LockSupport.unpark(waiting);
        }
    }

    @Override
    public boolean isDone() {
        return open.get() == 0;
    }

    /**
     * {@return what the calling thread polls for} A thread that has other work meanwhile, as that
     * of a callback, polls for a short time.
     */
    MemoryAccess.Pending polled() {
        if (EngineThread.currentWorker() == null) {
            return this;
        }
        Briefly kept = briefly == null ? new Briefly() : briefly;
        kept.endNs = System.nanoTime() + POLL_NS;
        return kept;
    }

    private final class Briefly implements MemoryAccess.Pending {
        private long endNs; // the waiting thread

        @Override
        public boolean isDone() {
            return Result.this.isDone() || System.nanoTime() - endNs >= 0;
        }
    }

    /**
     * The calling thread waits for the future: it processes completions. Where it ends the last
     * operation, it completes the future, which saves the hand-over to a completer, unless code
     * depends on the future, or another thread waits: that code may block.
     *
     * @param isOver whether it waits no longer, although the future is not done
     */
    @SuppressWarnings("NullAway") // called where there is a future
    void help(MemoryAccess access, BooleanSupplier isOver) {
        help(() -> access.poll(() -> isDone() || future.isDone() || isOver.getAsBoolean()));
    }

    /**
     * Posts the operations, or processes completions. Where the calling thread ends the last
     * operation, it completes the future.
     */
    void help(Runnable work) {
        Thread self = Thread.currentThread();
        helper = self;
        try {
            work.run();
        } finally {
            helper = null;
            if (lastHelper == self) {
                lastHelper = null;
                completeHere();
            }
        }
    }

    @SuppressWarnings("NullAway") // called where there is a future
    private void completeHere() {
        if (future.getNumberOfDependents() > 0) {
            completions.add(this);
            return;
        }
        try {
            complete();
        } catch (OutOfMemoryError e) {
            if (mayRepeat()) {
                completions.add(this);
            }
            throw e;
        }
    }

    /**
     * {@return whether an operation's end is to be noticed soon: another thread has posted it, code
     * depends on the future, or the calling thread waits for it and has other work} Any thread.
     */
    boolean isAwaited() {
        Thread own = future == null ? waiter : poster;
        return own != Thread.currentThread()
                || (future == null ? EngineThread.currentWorker() != null : future.getNumberOfDependents() > 0);
    }

    /** {@return what the atomics returned} The waiting thread. */
    long[] await(IdleStrategies strategies, long deadlineNs) throws DXNetException {
        if (isDone()) {
            return get();
        }
        EngineThread worker = EngineThread.currentWorker();
        boolean sleeps =
                EngineThread.current() != null || Thread.currentThread().isVirtual();
        IdleStrategy pauses = strategies.response();
        int step = strategies.firstStep();
        boolean interrupted = false;
        try {
            while (!isDone()) {
                long leftNs = deadlineNs + GRACE_NS - System.nanoTime();
                interrupted |= Thread.interrupted(); // the segments are in use: an interrupt ends no wait
                if (leftNs <= 0) {
                    throw failures.late(Outcome.UNKNOWN);
                } else if (worker != null) {
                    worker.progressOrPause(step++);
                } else if (!sleeps && pauses.pause(step)) {
                    step++;
                } else {
                    LockSupport.parkNanos(this, leftNs);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
        return get();
    }

    private long[] get() throws DXNetException {
        Exception failed = failure.get();
        Exception first = failed == null ? null : Parts.failure(failed, failedParts);
        switch (first) {
            case null -> copies.forEach(each -> each.to.copyFrom(each.from));
            case DXNetException known -> throw Failures.again(known);
            case RuntimeException unchecked -> throw unchecked;
            default -> throw new DXNetException("an operation on remote memory failed", first);
        }
        return previous;
    }

    @Override
    public String what() {
        return "an operation on remote memory";
    }

    @Override
    @SuppressWarnings("NullAway") // called where there is a future
    public boolean mayRepeat() {
        return !future.isDone();
    }

    @Override
    @SuppressWarnings("NullAway") // called where there is a future
    public void complete() {
        long[] value;
        try {
            value = get();
        } catch (DXNetException | RuntimeException e) {
            future.completeExceptionally(e);
            return;
        }
        future.complete(value);
    }
}
