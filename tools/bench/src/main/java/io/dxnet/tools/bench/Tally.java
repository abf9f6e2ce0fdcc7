package io.dxnet.tools.bench;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Counts messages received: each handler thread counts for itself, so that
 * counting costs next to nothing.
 */
final class Tally {
    private final List<Counter> counters = new CopyOnWriteArrayList<>();
    private final ThreadLocal<Counter> own = ThreadLocal.withInitial(this::add);

    /** By any handler thread. */
    void increment() {
        own.get().increment();
    }

    /** The sum over all threads since the start. */
    long sum() {
        long sum = 0;
        for (Counter counter : counters) {
            sum += counter.get();
        }
        return sum;
    }

    private Counter add() {
        Counter counter = new Counter();
        counters.add(counter);
        return counter;
    }
}
