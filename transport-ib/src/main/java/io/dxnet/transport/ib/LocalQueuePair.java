package io.dxnet.transport.ib;

import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.QpAttributes;
import io.dxnet.ibverbs.QpState;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.VerbsException;
import java.security.SecureRandom;

/**
 * This side's queue pair of a connection, and its room in the send completion queue. Made when an
 * address is asked for, dropped where an attempt fails, made anew by the next one. Under the
 * connection's monitor.
 */
final class LocalQueuePair {
    private static final int PSN_MASK = 0xFF_FFFF;
    /** A first packet number that can be guessed would let a stranger inject packets. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private final IbConnection connection;
    private final QueuePairs parts;
    private QueuePair pair; // null: not made
    private int slot = -1;
    private int psn;

    LocalQueuePair(IbConnection connection, QueuePairs parts) {
        this.connection = connection;
        this.parts = parts;
    }

    boolean isMade() {
        return pair != null;
    }

    int number() {
        return pair.number();
    }

    /** Returns what the other side connects to: the part of the handshake that describes it. */
    QpInfo info() {
        make();
        IbOptions options = parts.options();
        return new QpInfo(
                pair.addressFor(parts.device().gid(), psn),
                parts.device().mtu().bytes(),
                options.receiveBytesMax(),
                options.keepAliveMs());
    }

    /** Connects it, and returns its send queue: it may send from here on. */
    SendQueue connect(QpInfo peer) {
        make();
        IbDevice device = parts.device();
        IbOptions options = parts.options();
        pair.connect(device.gid(), psn, peer.address(), device.connectOptions(options, peer.mtuBytes()));
        return new SendQueue(
                connection.connection(),
                pair,
                registeredRing(),
                options.sendQueueRequests(),
                peer.receiveBytesMax(),
                connection.requestId(),
                parts.context().nodeMap().ownNodeId(),
                connection.endpoint().outstanding());
    }

    private MemoryRegion registeredRing() {
        try {
            return parts.device().ring(connection.connection().ring().segment());
        } catch (VerbsException e) {
            throw LockedMemory.isExceeded(e)
                    ? new LockedMemory.ExceededException(
                            e,
                            LockedMemory.advice(
                                    parts.options(), parts.context().config().ringBytes()))
                    : e;
        }
    }

    private void make() {
        if (pair == null) {
            SendSide endpoint = connection.endpoint();
            slot = endpoint.reserve(connection);
            psn = RANDOM.nextInt() & PSN_MASK;
            pair = endpoint.domain()
                    .createQueuePair(QueuePair.options(QpType.RC, endpoint.completionQueue(), parts.received())
                            .shared(parts.receives())
                            .send(parts.options().sendQueueRequests(), 2));
        }
    }

    /** Ends sending and receiving; what is posted completes as flushed. */
    void stop() {
        try {
            if (pair != null) {
                pair.modify(QpAttributes.to(QpState.ERR));
            }
        } catch (VerbsException | IllegalStateException e) {
            // It is in that state already, or the device is gone: either way it receives nothing.
        }
    }

    /** Frees it; the device touches no memory of the connection afterwards. */
    void drop() {
        QueuePair old = pair;
        pair = null;
        try {
            if (old != null) {
                old.close();
            }
        } finally {
            // After that: then all completions that there will ever be are there, and
            // none is left to fill the queue.
            if (slot >= 0) {
                connection.endpoint().forget(connection, slot);
                slot = -1;
            }
        }
    }
}
