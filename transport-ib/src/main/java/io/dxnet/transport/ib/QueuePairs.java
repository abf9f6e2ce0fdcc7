package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.SharedReceiveQueue;
import io.dxnet.transport.TransportContext;

/**
 * What all queue pairs of a node are made of.
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
        CompletionQueue received) {}
