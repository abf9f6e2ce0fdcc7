package io.dxnet.transport.nio;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * The live connections by node id. There is mostly one to a node; while one is still being closed there may be its successor
 * too, so they form a chain. Lookups by any thread without a lock; changes under the lock.
 */
final class ConnectionTable {
    private final AtomicReferenceArray<NioConnection> heads = new AtomicReferenceArray<>(InterestQueue.IDS);

    /** The newest connection to the node, or null; {@link NioConnection#next} leads to the others. */
    NioConnection first(int nodeId) {
        return heads.get(nodeId);
    }

    synchronized void add(NioConnection connection) {
        connection.next = heads.get(connection.nodeId());
        heads.set(connection.nodeId(), connection);
    }

    synchronized void remove(NioConnection connection) {
        NioConnection previous = null;
        for (NioConnection c = heads.get(connection.nodeId()); c != null; previous = c, c = c.next) {
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

    synchronized List<NioConnection> all() {
        List<NioConnection> all = new ArrayList<>();
        for (int i = 0; i < heads.length(); i++) {
            for (NioConnection c = heads.get(i); c != null; c = c.next) {
                all.add(c);
            }
        }
        return all;
    }
}
