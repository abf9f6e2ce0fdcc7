package io.dxnet.transport.ib;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Numbers for the connections that have a queue pair, carried by their send requests: a completion
 * finds its connection with one array load. A number that is used again has another generation, so
 * that an old completion finds no connection. Any thread.
 */
final class ConnectionSlots {
    private static final int GENERATION_SHIFT = 32;

    private final AtomicReferenceArray<IbConnection> connections;
    private final int[] generations; // under the monitor, published with the connection
    private final int[] free;
    private final long[] cut; // request ids, by their numbers; the receiving agent
    private int freeCount;

    ConnectionSlots(int count) {
        connections = new AtomicReferenceArray<>(count);
        generations = new int[count];
        free = new int[count];
        cut = new long[count];
        for (int i = count - 1; i >= 0; i--) {
            free[freeCount++] = i;
        }
    }

    /** All numbers are in use: connections that end will return theirs. */
    static final class FullException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        FullException(int count) {
            super("the send completion queues have no room for another connection's queue pair, there are " + count);
        }
    }

    synchronized boolean isFull() {
        return freeCount == 0;
    }

    /** A number for a connection; -1 when there is none left. */
    synchronized int take(IbConnection connection) {
        if (freeCount == 0) {
            return -1;
        }
        int slot = free[--freeCount];
        connection.requestId((long) ++generations[slot] << GENERATION_SHIFT | slot);
        connections.set(slot, connection);
        return slot;
    }

    /** Returns the connection that posted a request; null when it is gone. */
    IbConnection find(long requestId) {
        int slot = (int) requestId;
        IbConnection connection = slot >= 0 && slot < connections.length() ? connections.get(slot) : null;
        return connection != null && connection.requestId() == requestId ? connection : null;
    }

    /**
     * Received data of a connection is lost: what arrives after it is not accepted. Allocates
     * nothing. The receiving agent.
     */
    void cut(IbConnection connection) {
        long requestId = connection.requestId();
        cut[(int) requestId] = requestId;
    }

    /** Returns whether received data of a connection is lost. The receiving agent. */
    boolean isCut(IbConnection connection) {
        long requestId = connection.requestId();
        return cut[(int) requestId] == requestId;
    }

    synchronized void free(int slot) {
        connections.set(slot, null);
        free[freeCount++] = slot;
    }

    /** How many are in use. */
    synchronized int used() {
        return free.length - freeCount;
    }

    int count() {
        return free.length;
    }

    /** A connection with that queue pair; null when there is none. For errors: it checks all. */
    IbConnection ofQueuePair(int number) {
        for (int i = 0; i < connections.length(); i++) {
            IbConnection connection = connections.get(i);
            if (connection != null && connection.queuePairNumber() == number) {
                return connection;
            }
        }
        return null;
    }
}
