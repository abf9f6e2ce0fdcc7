package io.dxnet.transport.ib;

import io.dxnet.transport.TransportContext;
import java.nio.channels.Selector;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The job queue of the connection manager's thread (Ibdxnet §7.1). {@link #submit} and the queries:
 * any thread; {@link #run}: the connection manager's thread.
 */
final class JobQueue {
    private final TransportContext context;
    private final ConcurrentLinkedQueue<Runnable> jobs = new ConcurrentLinkedQueue<>();
    private Selector selector; // set before anything runs

    JobQueue(TransportContext context) {
        this.context = context;
    }

    /** Sets the selector in which the thread waits. */
    void wire(Selector waiting) {
        this.selector = waiting;
    }

    /** Adds a job, and ends the thread's wait. */
    void submit(Runnable job) {
        jobs.add(job);
        selector.wakeup();
    }

    boolean isEmpty() {
        return jobs.isEmpty();
    }

    int size() {
        return jobs.size();
    }

    /** Runs up to so many jobs. What one of them throws does not affect the others. */
    void run(int max) {
        for (int i = 0; i < max; i++) {
            Runnable job = jobs.poll();
            if (job == null) {
                return;
            }
            try {
                job.run();
            } catch (RuntimeException e) {
                context.error("a job of the connection management failed", e);
            }
        }
    }
}
