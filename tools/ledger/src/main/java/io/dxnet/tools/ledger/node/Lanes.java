package io.dxnet.tools.ledger.node;

import io.dxnet.tools.ledger.book.Stream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Assigns a lane to each sending thread of a run. Threads beyond the
 * last lane share one and send nothing that is ordered.
 */
final class Lanes {
    private final int nodes;
    private final AtomicInteger used = new AtomicInteger();
    private final Map<Thread, Lane> ofThreads = new ConcurrentHashMap<>();
    private final Lane shared;

    Lanes(int nodes) {
        this.nodes = nodes;
        this.shared = new Lane(Stream.LANES_MAX - 1, nodes);
    }

    /** A new lane. */
    Lane next() {
        int id = used.getAndIncrement();
        return id < shared.id() ? new Lane(id, nodes) : shared;
    }

    /** The lane of the calling thread. */
    Lane ofThread() {
        return ofThreads.computeIfAbsent(Thread.currentThread(), any -> next());
    }

    /** The lane for threads that send once. */
    Lane shared() {
        return shared;
    }

    boolean isShared(Lane lane) {
        return lane == shared;
    }
}
