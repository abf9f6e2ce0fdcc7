package io.dxnet.runtime.connect;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that open connections. Each waits for another node, so there may be several,
 * but a thread is made only where none is idle. (A plain pool makes one for each of its first jobs,
 * idle ones or not: 1,600 in a process with 100 nodes.) More jobs than threads wait in order.
 */
final class Connectors {
    /**
     * Attempts at the same time: each waits for another node, and a silent one
     * must not hold up the others.
     */
    private static final int THREADS_MAX = 4096;

    private static final long STACK_BYTES = 256 << 10;
    private static final int IDLE_SECONDS = 5;

    private final OnlyToIdle waiting = new OnlyToIdle();
    private final ThreadPoolExecutor pool;

    Connectors(String name) {
        this(name, THREADS_MAX);
    }

    Connectors(String name, int threadsMax) {
        this.pool = new ThreadPoolExecutor(
                0,
                threadsMax,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                waiting,
                task -> {
                    Thread thread = new Thread(null, task, name, STACK_BYTES);
                    thread.setDaemon(true);
                    return thread;
                },
                this::queue);
    }

    /** All threads are busy, or there is no pool any more. */
    private void queue(Runnable job, ThreadPoolExecutor full) {
        if (!full.isShutdown()) {
            waiting.append(job);
            if (!full.isShutdown() || !full.remove(job)) {
                return; // it waits, or a thread has it already
            }
        }
        throw new RejectedExecutionException("closed");
    }

    /**
     * Runs a job, now or later. Any thread.
     *
     * @throws RejectedExecutionException after {@link #close}
     */
    void execute(Runnable job) {
        pool.execute(job);
    }

    /** Interrupts the jobs that run; those that wait are dropped. */
    void close() {
        pool.shutdownNow();
    }

    /** Whether a thread waits for a job; a snapshot. */
    boolean hasIdle() {
        return waiting.hasWaitingConsumer();
    }

    /** Accepts an offer only when a thread waits for it, so that the pool else makes a thread. */
    private static final class OnlyToIdle extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable job) {
            return tryTransfer(job);
        }

        void append(Runnable job) {
            super.offer(job);
        }
    }
}
