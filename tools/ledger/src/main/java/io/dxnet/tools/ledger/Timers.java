package io.dxnet.tools.ledger;

import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

/** When something that began at a node is over. One thread. */
final class Timers {
    private final boolean[] set;
    private final long[] untilNs;
    private final IntConsumer end;

    Timers(int nodes, IntConsumer end) {
        this.set = new boolean[nodes];
        this.untilNs = new long[nodes];
        this.end = end;
    }

    void set(int node, long forMs) {
        set[node] = true;
        untilNs[node] = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(forMs);
    }

    boolean isSet(int node) {
        return set[node];
    }

    /** It is over without its end: the node is another one. */
    void cancel(int node) {
        set[node] = false;
    }

    /** Ends what is over, or all. */
    void end(boolean all) {
        for (int node = 0; node < set.length; node++) {
            if (set[node] && (all || System.nanoTime() - untilNs[node] > 0)) {
                set[node] = false;
                end.accept(node);
            }
        }
    }
}
