package io.dxnet.runtime;

import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that open connections: each waits for another node, so there may be several, but a thread is made only where none is idle.
 * (A plain pool makes one for each of its first jobs, idle ones or not: 1,600 in a process with 100 nodes.) More jobs than threads wait in order.
 */
final class Connectors {
    private static final int THREADS_MAX = 16;
    private static final int IDLE_SECONDS = 10;

    private final OnlyToIdle waiting = new OnlyToIdle();
    private final ThreadPoolExecutor pool;

    /** @param name of the threads */
    Connectors(String name) {
        this.pool = new ThreadPoolExecutor(
                0,
                THREADS_MAX,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                waiting,
                task -> {
                    Thread thread = new Thread(task, name);
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

    /** Takes an offer only when a thread waits for it, so that the pool else makes a thread. */
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
