package io.dxnet.tools.example;

import io.dxnet.DXNet;
import io.dxnet.DXNetException;
import io.dxnet.MessageType;
import io.dxnet.NodeMap;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/**
 * A work queue with back-pressure: each job is sent to a worker that has room, and the producer
 * waits only while none has. Node 0 produces, the others work.
 */
final class WorkQueue implements AutoCloseable {
    /** A job. */
    record Job(long number, String text) {}

    /** Its result. */
    record Result(long number, int letters) {}

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
    private static final MessageType<Job> JOB = MessageType.of(1, Job.class, LOOKUP);
    private static final MessageType<Result> RESULT = MessageType.of(2, Result.class, LOOKUP);

    private final LongAdder results = new LongAdder();
    private final LongAdder letters = new LongAdder();
    private final int workers;
    private DXNet net; // set before a handler can run
    private int next; // the producer's thread

    WorkQueue(NodeMap nodes, int workers) {
        this.workers = workers;
        DXNet.builder(nodes)
                .registering(created -> net = created)
                .on(JOB, this::work)
                .on(RESULT, (result, from) -> {
                    results.increment();
                    letters.add(result.letters());
                })
                .start();
    }

    private void work(Job job, int from) throws DXNetException {
        int count = (int) job.text().chars().filter(Character::isLetter).count();
        net.send(from, RESULT, new Result(job.number(), count));
    }

    /** Sends a job to the next worker that has room. One thread. */
    void submit(Job job) throws DXNetException {
        for (; ; ) {
            for (int i = 0; i < workers; i++) {
                next = next % workers + 1;
                if (net.trySend(next, JOB, job)) {
                    return;
                }
            }
            CompletableFuture<?>[] room = new CompletableFuture<?>[workers];
            for (int i = 0; i < workers; i++) {
                room[i] = net.whenWritable(i + 1);
            }
            CompletableFuture.anyOf(room).join();
        }
    }

    long results() {
        return results.sum();
    }

    long letters() {
        return letters.sum();
    }

    @Override
    public void close() {
        net.close();
    }
}
