package io.dxnet.transport.ib;

import io.dxnet.transport.TransportContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The connections that failed, until what arrived before is passed to the engine and their loss is
 * reported. {@link #add}: any thread; the others: the receiving agent.
 */
final class FailedConnections {
    /** What arrived before the failure may be announced this much later. */
    private static final long LAST_READS_MS = 2;
    /** How long what arrived waits for the engine's queue. */
    private static final long LAST_READS_STALLED_MS = 2000;

    /** One of them, with the completions that were polled before it failed. */
    private record Reading(IbConnection connection, long polledBefore) {}

    private final TransportContext context;
    private final IncomingRing ring;
    private final int capacity;
    private final ConcurrentLinkedQueue<IbConnection> added = new ConcurrentLinkedQueue<>();
    private final List<Reading> reading = new ArrayList<>();
    private long polled; // completions

    /**
     * Creates an empty list.
     *
     * @param context the engine
     * @param ring of what arrived and was not passed on
     * @param capacity the most completions that the completion queue holds
     */
    FailedConnections(TransportContext context, IncomingRing ring, int capacity) {
        this.context = context;
        this.ring = ring;
        this.capacity = capacity;
    }

    void add(IbConnection connection) {
        added.add(connection);
    }

    /** Returns whether one was added that {@link #report} has not seen. */
    boolean isAnyAdded() {
        return !added.isEmpty();
    }

    /** Returns whether one is being read: {@link #report} has to be called again soon. */
    boolean isAnyReading() {
        return !reading.isEmpty();
    }

    /** Completions were polled. */
    void polled(int count) {
        polled += count;
    }

    /**
     * Reports the losses that are due.
     *
     * @param foundNothing whether this cycle's poll found the completion queue empty
     * @return how many connections were removed
     */
    int report(boolean foundNothing) {
        for (IbConnection c = added.poll(); c != null; c = added.poll()) {
            reading.add(new Reading(c, polled));
        }
        int count = 0;
        // A report to the engine may call back, and lead here again: then the list is shorter.
        for (int i = reading.size() - 1; i >= 0; i--) {
            Reading each = i < reading.size() ? reading.get(i) : null;
            if (each != null && isReported(each, foundNothing)) {
                reading.remove(each);
                count++;
            }
        }
        return count;
    }

    private boolean isReported(Reading each, boolean foundNothing) {
        // All that was in the completion queue at the failure: data, and signals of an orderly end.
        boolean isPolled = foundNothing || polled - each.polledBefore >= capacity;
        boolean isDrained = isPolled && !ring.holds(each.connection);
        return each.connection.reportLoss(context, isDrained, LAST_READS_MS, LAST_READS_STALLED_MS);
    }
}
