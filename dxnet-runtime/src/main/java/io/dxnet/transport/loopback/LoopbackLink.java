package io.dxnet.transport.loopback;

import io.dxnet.transport.Connection;
import io.dxnet.transport.connection.SendLock;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.SendBatcher;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Holds the loopback transport's state of a connection. */
final class LoopbackLink extends SendBatcher.Stream {
    private final LoopbackTransport owner;
    final Connection connection;
    final AtomicBoolean posted = new AtomicBoolean(); // true while it waits in the agent's list
    final AtomicBoolean released = new AtomicBoolean();

    final SendLock sending = new SendLock(); // sealed: the link is closed

    @Nullable
    LoopbackLink next; // in the agent's list: the thread that set posted, then the agent

    volatile @Nullable LoopbackTransport peerTransport; // under the transports' opening lock, before the peer
    // The other node's connection to this node; null until one side connected, for both.
    volatile @Nullable Connection peer;

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

    /** The agent tries again as long as the other side accepts nothing. */
    @Override
    protected boolean isFull() {
        return false;
    }

    @Override
    protected boolean isOver() {
        return sending.isSealed();
    }

    static @Nullable LoopbackLink of(Connection connection) {
        return (LoopbackLink) connection.attachment();
    }
}
