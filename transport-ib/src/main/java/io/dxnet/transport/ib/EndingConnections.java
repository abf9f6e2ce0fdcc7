package io.dxnet.transport.ib;

import io.dxnet.transport.TransportContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The connections that end, until all that they received is polled: those that failed, until what
 * arrived before is passed to the engine and their loss is reported; and those whose queue pair is
 * stopped, until it may be destroyed. Some drivers (mlx4, mlx5) remove the completions of a
 * destroyed queue pair from the completion queue, and the shared receives that they stand for would
 * be lost.
 *
 * <p>A queue pair in the error state uses no further receive. So its completions are polled as
 * soon as a poll finds the completion queue empty, or as many completions as the queue holds were
 * polled, provided that these polls <em>began</em> after the queue pair's move to the error state.
 * A poll that was under way, or over, at that time proves nothing.
 *
 * <p>While the engine accepts no data nothing is polled. A stopped queue pair waits
 * {@link #STOPPED_MAX_NS} for that to end, and is then destroyed all the same: on those drivers,
 * the receives that it used and that were not polled are lost. The other choice would be that a
 * callback that does not return keeps the queue pairs of all connections that end.
 *
 * <p>{@link #addFailed}, {@link #addStopped}: any thread; the others: the receiving agent.
 */
final class EndingConnections {
    static final long STOPPED_MAX_NS = TimeUnit.SECONDS.toNanos(1);
    /** And at least so many cycles: a pause of the process is no time for that. */
    static final int STOPPED_CYCLES = 10;
    /** What arrived before the failure may be announced this much later. */
    private static final long LAST_READS_MS = 2;
    /** How long what arrived waits for the engine's queue. */
    private static final long LAST_READS_STALLED_MS = 2000;

    /** One of them, with what was counted when the first poll of its time began. */
    private record Ending(
            IbConnection connection, boolean isStopped, long polledBefore, long cyclesBefore, long beganNs) {}

    private final TransportContext context;
    private final IncomingRing ring;
    private final int capacity;
    private final Consumer<IbConnection> destroy;
    private final LongSupplier clock;

    /**
     * The failed ones, linked by {@link IbConnection#nextFailed}: to add one needs no memory, so a
     * full heap does not hide a loss.
     */
    private final AtomicReference<IbConnection> failed = new AtomicReference<>();

    private final ConcurrentLinkedQueue<IbConnection> stopped = new ConcurrentLinkedQueue<>();
    private final List<Ending> waiting = new ArrayList<>();
    private IbConnection unseen; // of the failed ones that were removed from there
    private long polled; // completions
    private long cycles;

    /**
     * Creates an empty list.
     *
     * @param context the engine
     * @param ring of what arrived and was not passed on
     * @param capacity the most completions that the completion queue holds
     * @param destroy accepts a connection whose queue pair may be destroyed; the receiving agent
     * @param clock the time, in nanoseconds
     */
    EndingConnections(
            TransportContext context,
            IncomingRing ring,
            int capacity,
            Consumer<IbConnection> destroy,
            LongSupplier clock) {
        this.context = context;
        this.ring = ring;
        this.capacity = capacity;
        this.destroy = destroy;
        this.clock = clock;
    }

    /** Adds a connection whose loss is to be reported; once. */
    void addFailed(IbConnection connection) {
        IbConnection head;
        do {
            head = failed.get();
            connection.nextFailed = head;
        } while (!failed.compareAndSet(head, connection));
    }

    /** Adds a connection whose queue pair is in the error state, and is to be destroyed. */
    void addStopped(IbConnection connection) {
        stopped.add(connection);
    }

    /** Returns whether one was added that no cycle has seen. */
    boolean isAnyAdded() {
        return failed.get() != null || unseen != null || !stopped.isEmpty();
    }

    /** Returns whether one waits: {@link #proceed} has to be called again soon. */
    boolean isAnyWaiting() {
        return !waiting.isEmpty();
    }

    /**
     * A cycle begins, in which the completion queue is polled if there is room for what it holds.
     */
    void cycleBegins() {
        cycles++;
        if (!isAnyAdded()) {
            return;
        }
        long nowNs = clock.getAsLong();
        if (unseen == null) {
            unseen = failed.getAndSet(null);
        }
        // Each is removed after it was added: where the heap is full, the next cycle adds it.
        while (unseen != null) {
            waiting.add(new Ending(unseen, false, polled, cycles, nowNs));
            unseen = unseen.nextFailed;
        }
        for (IbConnection each = stopped.peek(); each != null; each = stopped.peek()) {
            waiting.add(new Ending(each, true, polled, cycles, nowNs));
            stopped.poll();
        }
    }

    /** Completions were polled. */
    void polled(int count) {
        polled += count;
    }

    /**
     * Reports the losses and destroys the queue pairs that are due.
     *
     * @param foundNothing whether this cycle's poll found the completion queue empty
     * @return how many connections were removed
     */
    int proceed(boolean foundNothing) {
        int count = 0;
        // A report to the engine may call back, and lead here again: then the list is shorter.
        for (int i = waiting.size() - 1; i >= 0; i--) {
            Ending each = i < waiting.size() ? waiting.get(i) : null;
            if (each != null && isOver(each, foundNothing) && waiting.remove(each)) {
                count++;
            }
        }
        return count;
    }

    private boolean isOver(Ending each, boolean foundNothing) {
        boolean isPolled = foundNothing || polled - each.polledBefore >= capacity;
        if (!each.isStopped) {
            boolean isDrained = isPolled && !ring.holds(each.connection);
            return each.connection.reportLoss(context, isDrained, LAST_READS_MS, LAST_READS_STALLED_MS);
        }
        boolean isOver = isPolled
                || cycles - each.cyclesBefore >= STOPPED_CYCLES && clock.getAsLong() - each.beganNs > STOPPED_MAX_NS;
        if (isOver) {
            destroy.accept(each.connection);
        }
        return isOver;
    }

    /** Returns the stopped ones: the agent has ended, and nothing is polled any more. */
    List<IbConnection> stopped() {
        cycleBegins();
        return waiting.stream()
                .filter(Ending::isStopped)
                .map(Ending::connection)
                .toList();
    }
}
