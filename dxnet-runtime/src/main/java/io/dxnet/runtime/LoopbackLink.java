package io.dxnet.runtime;

import io.dxnet.transport.Connection;
import io.dxnet.transport.OutgoingRingBuffer;
import io.dxnet.transport.StreamWatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/** What the loopback transport keeps for a connection. */
final class LoopbackLink extends StreamWatch.Stream {
    private final LoopbackTransport owner;
    final Connection connection;
    final AtomicBoolean posted = new AtomicBoolean(); // true while it waits in the agent's list
    final AtomicBoolean released = new AtomicBoolean();

    /** Held by whoever moves bytes of this connection's ring. */
    final ReentrantLock sending = new ReentrantLock();

    LoopbackLink next; // in the agent's list: whoever set posted, then the agent

    volatile LoopbackTransport peerTransport; // under the transports' opening lock, before the peer
    volatile Connection peer; // the other node's connection to this node; null until one side connected, for both
    volatile boolean closed; // whoever closes

    LoopbackLink(LoopbackTransport owner, Connection connection) {
        this.owner = owner;
        this.connection = connection;
    }

    @Override
    protected OutgoingRingBuffer ring() {
        return connection.ring();
    }

    @Override
    protected boolean sendByAgent() {
        return owner.sendNow(connection);
    }

    @Override
    protected boolean isOver() {
        return closed;
    }

    static LoopbackLink of(Connection connection) {
        return (LoopbackLink) connection.attachment();
    }
}
