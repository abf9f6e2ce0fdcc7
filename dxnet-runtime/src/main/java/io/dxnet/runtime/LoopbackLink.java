package io.dxnet.runtime;

import io.dxnet.transport.Connection;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** What the loopback transport keeps for a connection. */
final class LoopbackLink {
    final Connection connection;
    final AtomicBoolean posted = new AtomicBoolean(); // true while it waits in the agent's list
    final AtomicBoolean released = new AtomicBoolean();

    /** Held by whoever moves bytes of this connection's ring. */
    final ReentrantLock sending = new ReentrantLock();

    LoopbackLink next; // in the agent's list: whoever set posted, then the agent

    volatile LoopbackTransport peerTransport; // the connector or the accepting side
    volatile Connection peer; // the other node's connection to this node; null until one side connected
    volatile boolean sendsToPeer; // the connector
    volatile boolean watched; // the agent: it looks at the ring regularly, nobody has to post
    long visited; // what was posted at the agent's last look; the agent
    volatile boolean closed; // whoever closes

    LoopbackLink(Connection connection) {
        this.connection = connection;
    }

    static LoopbackLink of(Connection connection) {
        return (LoopbackLink) connection.attachment();
    }
}
