package io.dxnet.tools.verbs.endpoints;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What threads that share a queue pair must agree on (paper, section V-F). That is the room in the
 * send queue, reserved by fetch-and-decrement, and each thread's completed requests, because any
 * thread may poll the completions of all. Any thread may call.
 */
final class SharedQueue {
    /** Longs of a cache line: each counter has one for itself. */
    private static final int PAD = 8;

    private final AtomicInteger[] room;
    private final AtomicLongArray done;

    /**
     * Starts empty.
     *
     * @param threads that share
     * @param queuePairs that they share
     * @param depth requests of each send queue, all threads' together
     */
    SharedQueue(int threads, int queuePairs, int depth) {
        room = new AtomicInteger[queuePairs];
        for (int i = 0; i < queuePairs; i++) {
            room[i] = new AtomicInteger(depth);
        }
        done = new AtomicLongArray(threads * queuePairs * PAD);
    }

    private int index(int thread, int pair) {
        return (thread * room.length + pair) * PAD;
    }

    /** Reserves room for all of some requests, or for none; returns whether it did. */
    boolean take(int pair, int requests) {
        if (room[pair].addAndGet(-requests) >= 0) {
            return true;
        }
        room[pair].addAndGet(requests);
        return false;
    }

    /**
     * A thread's requests up to a number are complete; completions may be handed in out of order.
     */
    void complete(int thread, int pair, long number) {
        long before = done.getAndAccumulate(index(thread, pair), number, Math::max);
        if (number > before) {
            room[pair].addAndGet((int) (number - before));
        }
    }

    /** How many of a thread's requests have completed. */
    long done(int thread, int pair) {
        return done.get(index(thread, pair));
    }
}
