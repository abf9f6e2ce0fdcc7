package io.dxnet.transport.ib;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The connections whose queue pair is to be destroyed, until all that it received is polled: some
 * drivers (mlx4, mlx5) remove the completions of a destroyed queue pair from the completion queue,
 * and the shared receives that they stand for would be lost.
 *
 * <p>A queue pair in the error state uses no further receive. So its completions are polled as
 * soon as a poll finds the completion queue empty, or as many completions as the queue holds were
 * polled, provided that these polls <em>began</em> after the queue pair's move to the error state.
 * A poll that was under way, or over, at that time proves nothing.
 *
 * <p>While the engine accepts no data nothing is polled. A connection waits {@link #CYCLES_MAX}
 * cycles for that to end, which is about a second, and is then destroyed all the same: on those
 * drivers, the receives that it used and that were not polled are lost. The other choice would be
 * that a callback that does not return keeps the queue pairs of all connections that end.
 *
 * <p>{@link #add}: any thread; the others: the receiving agent.
 */
final class PurgeQueue {
    static final int CYCLES_MAX = 1000;

    private final ConcurrentLinkedQueue<IbConnection> added = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>(); // oldest first
    private final int capacity;
    private long polled; // completions
    private long cycles;

    /** One connection, with what was counted when the first poll of its time began. */
    private record Waiting(IbConnection connection, long polledBefore, long cyclesBefore) {}

    /**
     * An empty queue.
     *
     * @param capacity the most completions that the completion queue holds
     */
    PurgeQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Adds a connection whose queue pair is in the error state. */
    void add(IbConnection connection) {
        added.add(connection);
    }

    boolean isEmpty() {
        return waiting.isEmpty() && added.isEmpty();
    }

    /**
     * A cycle begins, in which the completion queue is polled if there is room for what it holds.
     */
    void cycleBegins() {
        cycles++;
        for (IbConnection c = added.poll(); c != null; c = added.poll()) {
            waiting.add(new Waiting(c, polled, cycles));
        }
    }

    /** Completions were polled. */
    void polled(int count) {
        polled += count;
    }

    /**
     * Removes a connection that may be destroyed.
     *
     * @param foundNothing whether this cycle's poll found the completion queue empty
     * @return null when there is none
     */
    IbConnection poll(boolean foundNothing) {
        Waiting oldest = waiting.peek();
        boolean due = oldest != null
                && (foundNothing
                        || polled - oldest.polledBefore >= capacity
                        || cycles - oldest.cyclesBefore > CYCLES_MAX);
        return due ? waiting.remove().connection : null;
    }

    /**
     * Removes any connection: the agent has ended, and nothing is polled any
     * more. Null when there is none.
     */
    IbConnection pollAny() {
        return waiting.isEmpty() ? added.poll() : waiting.remove().connection;
    }
}
