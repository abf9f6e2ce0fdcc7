package io.dxnet.tools.ledger.node;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A sender of a run, usually one thread: numbers its messages to each node. A thread of the engine
 * that waits inside a send may run dependents of futures, which send as well: those messages come
 * between the begin and the end of the outer send, so they are no part of its order.
 */
final class Lane {
    private final int id;
    private final AtomicIntegerArray next;
    private boolean inUse; // by its thread

    Lane(int id, int nodes) {
        this.id = id;
        this.next = new AtomicIntegerArray(nodes);
    }

    int id() {
        return id;
    }

    /** Returns false when its thread is inside a send. */
    boolean enter() {
        if (inUse) {
            return false;
        }
        inUse = true;
        return true;
    }

    void leave() {
        inUse = false;
    }

    int nextSequence(int receiver) {
        return next.getAndIncrement(receiver);
    }
}
