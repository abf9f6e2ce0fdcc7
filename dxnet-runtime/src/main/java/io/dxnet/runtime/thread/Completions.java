package io.dxnet.runtime.thread;

import io.dxnet.MessagingUsageException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Completes the futures of asynchronous requests, of {@code whenWritable} and of
 * {@code whenHandled}. The dependents of a future are the application's code and may block, so only
 * two kinds of threads complete one: a handler thread between two callbacks, for the responses that
 * it has just handled, and a completer thread, started when it is first needed. A completer
 * completes a future when its request failed or timed out, when a waiting callback or an
 * application's thread handled its response, and when the dependents of a future before it last:
 * then {@link #tick} starts another completer, up to {@value #COMPLETERS_MAX}. Besides, a thread
 * that posts operations on remote memory, or waits for them, completes their future itself, where
 * it processed their completions and nothing depends on the future.
 */
public final class Completions {
    static final int COMPLETERS_MAX = 16;
    private static final int IDLE_SECONDS = 10;

    /** A future that is to be completed, and with what. */
    public abstract static class Completion {
        private @Nullable Completion nextKept; // under the monitor of Completions
        private boolean isKept; // the same

        /** Completes the future and runs its dependents. */
        public abstract void complete();

        /**
         * {@return whether {@link #complete} may be called again after it has thrown, for want of
         * memory} True only as long as the future is not completed.
         */
        public boolean mayRepeat() {
            return false;
        }

        /** {@return what the future is of, for errors} */
        public abstract String what();
    }

    /**
     * Futures that one handler, or the completers, are to complete. Any thread adds and removes.
     */
    public static final class Backlog {
        private final Queue<Completion> ended;
        private final AtomicLong taken = new AtomicLong();
        private long takenAtTick; // the control thread

        private Backlog(Queue<Completion> ended) {
            this.ended = ended;
        }

        private Completion poll() {
            Completion completion = ended.poll();
            if (completion != null) {
                taken.incrementAndGet();
            }
            return completion;
        }

        /** Whether nothing was removed since the last call although there is something. */
        private boolean isStuck() {
            long now = taken.get();
            boolean stuck = now == takenAtTick && !ended.isEmpty();
            takenAtTick = now;
            return stuck;
        }
    }

    private static final class Completer extends Thread {
        Completer(Runnable task, String name) {
            super(task, name);
            setDaemon(true);
        }
    }

    private final Supplier<Queue<Completion>> queues;
    private final Backlog shared;
    private final List<Backlog> backlogs = new CopyOnWriteArrayList<>();
    private volatile @Nullable Completion kept; // for want of memory in no backlog; under the monitor
    private @Nullable Completion lastKept; // the same
    private int keptCount; // the same
    private final AtomicInteger completers = new AtomicInteger(); // running, or about to
    private final ThreadPoolExecutor pool;
    private final EngineThread.Errors errors;
    private final String threadName;

    public Completions(String threadName, EngineThread.Errors errors) {
        this(threadName, errors, Completer::new, ConcurrentLinkedQueue::new);
    }

    /** With sources of threads and of unbounded queues, which may throw. */
    Completions(
            String threadName,
            EngineThread.Errors errors,
            BiFunction<Runnable, String, Thread> threads,
            Supplier<Queue<Completion>> queues) {
        this.threadName = threadName;
        this.errors = errors;
        this.queues = queues;
        this.shared = backlog();
        this.pool = new ThreadPoolExecutor(
                0,
                // The count is lower: threads that are about to be idle are not in it.
                2 * COMPLETERS_MAX,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> threads.apply(task, threadName),
                // After close: the engine has no threads any more that must not run dependents.
                (task, full) -> task.run());
    }

    /** A backlog for a handler. Before the threads run. */
    public Backlog backlog() {
        Backlog backlog = new Backlog(queues.get());
        backlogs.add(backlog);
        return backlog;
    }

    /**
     * A future's outcome is known: it is completed soon, on a thread that may run
     * its dependents. Any thread.
     */
    public void add(Completion completion) {
        EngineThread own = EngineThread.current();
        if (own != null && own.completes() != null) {
            put(completion, own.completes());
        } else {
            handOver(completion);
        }
    }

    /** Lets a completer complete it, and not the calling handler. Any thread. */
    public void handOver(Completion completion) {
        put(completion, shared);
        if (completers.compareAndSet(0, 1)) {
            startCompleter();
        }
    }

    private void put(Completion completion, Backlog backlog) {
        try {
            backlog.ended.add(completion);
        } catch (OutOfMemoryError _) { // of the queue's node: nothing else would complete it
            keep(completion);
        }
    }

    /** After the others: what fails again must not keep them waiting. */
    private synchronized void keep(Completion completion) {
        if (!completion.isKept) {
            completion.isKept = true;
            keptCount++;
            if (lastKept == null) {
                kept = completion;
            } else {
                lastKept.nextKept = completion;
            }
            lastKept = completion;
        }
    }

    private synchronized @Nullable Completion pollKept() {
        Completion first = kept;
        if (first != null) {
            kept = first.nextKept;
            lastKept = kept == null ? null : lastKept;
            keptCount--;
            first.nextKept = null;
            first.isKept = false;
        }
        return first;
    }

    private synchronized int keptCount() {
        return keptCount;
    }

    /** Completes what a backlog holds. Its handler between two callbacks, or a completer. */
    public void drain(Backlog backlog) {
        for (Completion each = backlog.poll(); each != null; each = backlog.poll()) {
            complete(each);
        }
    }

    /** The kept ones first: dependents of the others may last. */
    private void drainAll() {
        try {
            drainKept();
        } finally { // also where one of them was kept again
            backlogs.forEach(this::drain);
        }
    }

    /**
     * Each once, also where one before it fails. One by one: while the dependents of one last,
     * other completers complete the rest.
     */
    private void drainKept() {
        Error failure = null;
        for (int i = keptCount(); i > 0; i--) { // not until it is empty: some may be kept again
            Completion each = pollKept();
            try {
                if (each != null) { // no other completer has it
                    complete(each);
                }
            } catch (Error e) {
                failure = failure == null ? e : failure;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void complete(Completion each) {
        try {
            each.complete();
        } catch (OutOfMemoryError e) {
            if (each.mayRepeat()) {
                keep(each); // the next tick tries again
            }
            throw e;
        }
        if (Thread.interrupted()) {
            errors.error(
                    "a dependent of the future of " + each.what() + " left its thread interrupted: the flag is cleared",
                    new MessagingUsageException("a dependent must not interrupt the thread that runs it"));
        }
    }

    /** It is counted. Where there is no thread for it, the next tick tries again. */
    private void startCompleter() {
        try {
            pool.execute(this::runCompleter);
        } catch (RuntimeException | Error e) {
            completers.decrementAndGet();
            errors.error("no thread can be started to complete futures: they wait for one", e);
        }
    }

    private void runCompleter() {
        boolean isDone = false;
        do {
            try {
                isDone = tryDrainAll();
            } finally {
                completers.decrementAndGet();
            }
        } while (isDone && !isEmpty() && completers.compareAndSet(0, 1));
    }

    /** {@return false where one failed, which is reported: the rest is for the next tick} */
    private boolean tryDrainAll() {
        try {
            drainAll();
            return true;
        } catch (RuntimeException | Error e) {
            errors.error("a future could not be completed, or a dependent of it failed", e);
            return false;
        }
    }

    private boolean isEmpty() {
        for (int i = 0; i < backlogs.size(); i++) { // no iterator: at each tick
            if (!backlogs.get(i).ended.isEmpty()) {
                return false;
            }
        }
        return kept == null;
    }

    /**
     * Starts one more completer where nothing was removed from a backlog since the last call,
     * because dependents last, and where a backlog had no memory. The control thread.
     *
     * @return whether there is something to complete, and a next call is needed
     */
    public boolean tick() {
        boolean stuck = kept != null;
        for (int i = 0; i < backlogs.size(); i++) { // as in isEmpty()
            stuck |= backlogs.get(i).isStuck();
        }
        if (stuck && completers.get() < COMPLETERS_MAX) {
            completers.incrementAndGet();
            startCompleter();
        }
        return !isEmpty();
    }

    /** Whether the calling thread is a completer. */
    public static boolean isCompleter() {
        return Thread.currentThread() instanceof Completer;
    }

    /** Waits, for a bounded time, until all is completed, and ends the completers. */
    public void close(long timeoutNs) {
        pool.shutdown();
        boolean interrupted = false;
        try {
            pool.awaitTermination(timeoutNs, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        // Futures of a handler that is stuck, or behind dependents that block,
        // as these may as well.
        if (!isEmpty()) {
            Completer last = new Completer(this::tryDrainAll, threadName);
            last.start();
            try {
                last.join(1 + TimeUnit.NANOSECONDS.toMillis(timeoutNs));
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
