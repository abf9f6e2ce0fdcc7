package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.MemoryRegion;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.ibverbs.QpType;
import io.dxnet.ibverbs.QueuePair;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.Connection;
import io.dxnet.transport.TransportContext;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes and connects the queue pairs of a node's connections, and their send queues. Any thread.
 *
 * @param context the engine
 * @param device of this node
 * @param options of this node
 * @param receives the shared receive queue of all queue pairs
 * @param received the completion queue of all receives
 */
record QueuePairs(
        TransportContext context,
        IbDevice device,
        IbOptions options,
        SharedReceiveQueue receives,
        CompletionQueue received) {
    QueuePair create(ProtectionDomain domain, CompletionQueue sent) {
        return domain.createQueuePair(
                QueuePair.options(QpType.RC, sent, received).shared(receives).send(options.sendQueueRequests(), 2));
    }

    QpAddress address(QueuePair pair, int psn) {
        return pair.addressFor(device.gid(), psn);
    }

    void connect(QueuePair pair, int psn, QpInfo peer) {
        pair.connect(device.gid(), psn, peer.address(), device.connectOptions(options, peer.mtuBytes()));
    }

    /** Returns the part of the handshake that describes a queue pair of this node. */
    QpInfo info(QpAddress address) {
        return new QpInfo(address, device.mtu().bytes(), options.receiveBytesMax(), options.keepAliveMs());
    }

    /**
     * Makes the send queue of a queue pair that may send.
     *
     * @param requestBytesMax the largest message that the other node receives
     * @param requestId what the completions carry
     * @param outstanding counts the endpoint's signaled requests under way
     */
    SendQueue sendQueue(
            Connection connection, QueuePair pair, int requestBytesMax, long requestId, AtomicInteger outstanding) {
        MemoryRegion region;
        try {
            region = device.ring(connection.ring().segment());
        } catch (VerbsException e) {
            throw LockedMemory.isExceeded(e)
                    ? new LockedMemory.ExceededException(
                            e, LockedMemory.advice(options, context.config().ringBytes()))
                    : e;
        }
        return new SendQueue(
                connection,
                pair,
                region,
                options.sendQueueRequests(),
                requestBytesMax,
                requestId,
                context.nodeMap().ownNodeId(),
                outstanding);
    }
}
