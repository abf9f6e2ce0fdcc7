package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.ReceiveChain;
import io.dxnet.ibverbs.SendChain;
import io.dxnet.ibverbs.WorkCompletion;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Idle;

/**
 * One thread's access to the device: queue pairs and a completion queue, its own or
 * shared with others. A request's id holds the thread, the queue pair, and the number of
 * requests that the thread has posted to that queue pair, this one included; a
 * completion thus stands for all requests before it. Used by one thread.
 */
final class Lane {
    private static final int THREAD_SHIFT = 48;
    private static final int PAIR_SHIFT = 40;
    private static final long NUMBER_MASK = (1L << PAIR_SHIFT) - 1;
    private static final int BATCH = 64;

    private final int thread;
    private final ProtectionDomain domain;
    private final QueuePair[] pairs;
    private final CompletionQueue queue;
    private final int window;
    /** Null where nothing is shared. */
    private final SharedQueue shared;

    private final Arrivals arrivals;
    private final WorkCompletion batch = new WorkCompletion(BATCH);
    private final ReceiveChain receive = new ReceiveChain(1, 0);
    private final long[] posted;
    private final long[] done;

    /**
     * Makes a lane.
     *
     * @param thread whose, from 0
     * @param domain of its memory
     * @param pairs it posts to
     * @param queue where they complete
     * @param window requests of this thread that may be under way in each queue pair
     * @param shared the queue shared with other threads, or null
     * @param arrivals where writes with immediate data are counted
     */
    Lane(
            int thread,
            ProtectionDomain domain,
            QueuePair[] pairs,
            CompletionQueue queue,
            int window,
            SharedQueue shared,
            Arrivals arrivals) {
        this.thread = thread;
        this.domain = domain;
        this.pairs = pairs;
        this.queue = queue;
        this.window = window;
        this.shared = shared;
        this.arrivals = arrivals;
        this.posted = new long[pairs.length];
        this.done = new long[pairs.length];
    }

    int thread() {
        return thread;
    }

    ProtectionDomain domain() {
        return domain;
    }

    QueuePair pair(int index) {
        return pairs[index];
    }

    int pairs() {
        return pairs.length;
    }

    /** The id of the request after the next {@code ahead} ones. */
    long id(int pair, int ahead) {
        return (long) thread << THREAD_SHIFT | (long) pair << PAIR_SHIFT | posted[pair] + ahead + 1;
    }

    long posted(int pair) {
        return posted[pair];
    }

    long done(int pair) {
        return shared == null ? done[pair] : shared.done(thread, pair);
    }

    /** Posts a chain of requests with ids of {@link #id}, or nothing where there is no room. */
    boolean post(int pair, SendChain chain) {
        int count = chain.size();
        if (posted[pair] + count - done(pair) > window || shared != null && !shared.take(pair, count)) {
            return false;
        }
        int taken = pairs[pair].postSend(chain);
        if (taken != count) {
            throw new ToolException(
                    "a send queue accepted " + taken + " of " + count + " requests: error " + chain.errno());
        }
        posted[pair] += count;
        return true;
    }

    /**
     * Polls completions, also those of other threads where the
     * queue is shared; returns whether there were any.
     */
    boolean poll() {
        int count = queue.poll(batch);
        for (int i = 0; i < count; i++) {
            batch.at(i);
            if (!batch.isSuccess()) {
                throw new CompletionFailedException(batch.toString(), batch.status());
            }
            if (batch.isReceive()) {
                arrivals.add(batch.immediate());
                postReceive(batch.qpNumber() == pairs[0].number() ? 0 : 1);
            } else {
                completed(batch.id());
            }
        }
        return count > 0;
    }

    private void completed(long id) {
        int pair = (int) (id >>> PAIR_SHIFT) & 0xff;
        long number = id & NUMBER_MASK;
        if (shared == null) {
            done[pair] = number;
        } else {
            shared.complete((int) (id >>> THREAD_SHIFT), pair, number);
        }
    }

    /** Posts a receive without memory, for a write's immediate data. */
    void postReceive(int pair) {
        if (pairs[pair].postReceive(receive.clear().receive(0)) != 1) {
            throw new ToolException("a receive queue is full");
        }
    }

    /** Polls until all requests of this thread to a queue pair have completed. */
    void awaitAll(int pair, Idle idle) {
        while (done(pair) < posted[pair]) {
            idle.step(poll());
        }
    }
}
