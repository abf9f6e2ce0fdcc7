package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.transport.connection.Interest;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The send endpoint of a connection, as far as the connection and its queue pair use it.
 * Any thread.
 */
interface SendSide {
    /** Interest: there is data in the ring. */
    int WRITE = Interest.WRITE;
    /** Interest: there is something to confirm, or to signal. */
    int FLOW_CONTROL = Interest.FLOW_CONTROL;

    /** Posts an interest, and signals the agent where it waits. */
    void post(int nodeId, int interest);

    /** Posts what there is to the send queue; returns whether that was anything. */
    boolean send(IbConnection connection);

    /**
     * Sends by caller: posts what there is, and polls completions once.
     *
     * @return whether anything was posted, or memory of the ring came free
     */
    boolean sendNow(IbConnection connection);

    /** Polls the completion queue once. */
    void pollCompletions();

    /** Returns where its queue pairs are made. */
    ProtectionDomain domain();

    /** Returns the completion queue of its queue pairs. */
    CompletionQueue completionQueue();

    /** Returns the number of signaled requests under way, which the send queues count. */
    AtomicInteger outstanding();

    /**
     * Reserves room in the completion queue for a connection's queue pair.
     *
     * @return a slot
     * @throws ConnectionSlots.FullException where there is no room
     */
    int reserve(IbConnection connection);

    /** Frees a slot whose queue pair is destroyed: its completions count no more. */
    void forget(IbConnection connection, int slot);
}
