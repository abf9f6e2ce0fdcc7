package io.dxnet.transport.shared;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A transport's live connections by node id. There is mostly one to a node; while one is
 * still being closed there may be its successor too, so they form a chain. Lookups by any
 * thread without a lock; changes under the lock, the table's monitor.
 *
 * @param <C> the transport's state of a connection
 */
public final class ConnectionTable<C extends ConnectionTable.Entry<C>> {
    /**
     * What can be in the table.
     *
     * @param <C> itself
     */
    public abstract static class Entry<C extends Entry<C>> {
        volatile C next; // under the table's lock

        /** Not in a table yet. */
        protected Entry() {}

        /** {@return the other node, 0 to 65535, always the same} */
        public abstract int nodeId();

        /** {@return an older connection to the same node; null when there is none} Any thread. */
        public final C next() {
            return next;
        }
    }

    private final AtomicReferenceArray<C> heads = new AtomicReferenceArray<>(InterestQueue.IDS);

    /** An empty table. */
    public ConnectionTable() {}

    /**
     * {@return the newest connection to a node; null when there is none;
     * {@link Entry#next} leads to the others} Any thread.
     *
     * @param nodeId the other node
     */
    public C first(int nodeId) {
        return heads.get(nodeId);
    }

    /**
     * Puts it before the others of its node. Any thread.
     *
     * @param connection not in a table yet
     */
    public synchronized void add(C connection) {
        connection.next = heads.get(connection.nodeId());
        heads.set(connection.nodeId(), connection);
    }

    /**
     * Removes it, if it is there. Any thread.
     *
     * @param connection whichever
     */
    public synchronized void remove(C connection) {
        C previous = null;
        for (C c = heads.get(connection.nodeId()); c != null; previous = c, c = c.next) {
            if (c == connection) {
                if (previous == null) {
                    heads.set(connection.nodeId(), c.next);
                } else {
                    previous.next = c.next;
                }
                return;
            }
        }
    }

    /** {@return a copy of all of them} Any thread; slow. */
    public synchronized List<C> all() {
        List<C> all = new ArrayList<>();
        for (int i = 0; i < heads.length(); i++) {
            for (C c = heads.get(i); c != null; c = c.next) {
                all.add(c);
            }
        }
        return all;
    }
}
