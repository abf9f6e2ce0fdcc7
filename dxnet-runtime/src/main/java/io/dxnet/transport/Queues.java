package io.dxnet.transport;

import java.util.Queue;
import org.jctools.queues.varhandle.MpmcVarHandleArrayQueue;

/** The one place that knows whose queues are used. */
final class Queues {
    private Queues() {}

    /** A bounded lock-free queue for any number of producers and consumers; a full one refuses. */
    static <E> Queue<E> mpmc(int capacity) {
        return new MpmcVarHandleArrayQueue<>(capacity);
    }
}
