package io.dxnet.tools.ledger;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Threads that begin at once to ask a node, each waiting for its answers one after the other. */
final class Volley {
    private final DXNet net;
    private final int to;
    private final ThreadFactory factory;
    private final int threads;
    private final int requestsEach;
    private final AtomicInteger failures = new AtomicInteger();
    private final AtomicReference<Exception> firstFailure = new AtomicReference<>();

    Volley(DXNet net, int to, ThreadFactory factory, int threads, int requestsEach) {
        this.net = net;
        this.to = to;
        this.factory = factory;
        this.threads = threads;
        this.requestsEach = requestsEach;
    }

    /**
     * Runs the threads and returns the time per request, microseconds: from their
     * release to the end of the last one.
     */
    double run() throws InterruptedException {
        CountDownLatch started = new CountDownLatch(threads);
        CountDownLatch release = new CountDownLatch(1);
        CountDownLatch ended = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            factory.newThread(() -> {
                        started.countDown();
                        try {
                            release.await();
                            ask();
                        } catch (DXNetException | RuntimeException | InterruptedException e) {
                            failures.incrementAndGet();
                            firstFailure.compareAndSet(null, e);
                        } finally {
                            ended.countDown();
                        }
                    })
                    .start();
        }
        started.await();
        long beginNs = System.nanoTime();
        release.countDown();
        ended.await();
        return (System.nanoTime() - beginNs) / 1e3 / ((double) threads * requestsEach);
    }

    private void ask() throws DXNetException {
        for (int i = 0; i < requestsEach; i++) {
            net.sendSync(new SmallMessages.Question(to));
        }
    }

    /** Threads that a failure has ended, of all runs. */
    int failures() {
        return failures.get();
    }

    /** The first failure of all runs; null: none. */
    Exception firstFailure() {
        return firstFailure.get();
    }

    @Override
    public String toString() {
        return threads + " threads, " + requestsEach + (requestsEach == 1 ? " request" : " requests") + " each";
    }
}
