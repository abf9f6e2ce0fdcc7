package io.dxnet.transport.ib;

import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.transport.AdaptiveWait;
import io.dxnet.transport.ConnectionTable;
import io.dxnet.transport.InterestQueue;
import io.dxnet.transport.OutgoingRingBuffer;
import io.dxnet.transport.StreamWatch;

/**
 * A send endpoint (scalable endpoints §VI): the connections that one agent sends for, with the write interest manager (WIM, Ibdxnet
 * §8.2): round robin over connections, one entry for each, data and flow control counted apart. Which of an endpoint's resources are
 * its own is configuration; with one endpoint it is the msgrc engine's send thread.
 *
 * <p>{@link #post} and {@link #sendNow}: any thread; the others: the agent that drives this endpoint.
 */
final class SendEndpoint implements InterestQueue.Handler {
    /** There is data in the ring. */
    static final int WRITE = 1;
    /** There is something to confirm, or to signal. */
    static final int FLOW_CONTROL = 2;

    /** {@link #sendAll}: something was posted. */
    private static final int SENT = 1;
    /** {@link #sendAll}: another thread is posting. */
    private static final int BUSY = 2;

    /** Chains of one turn; after them, others' turn. */
    private static final int CHAINS_MAX = 4;

    private final InterestQueue interests = new InterestQueue();
    private final StreamWatch watch = StreamWatch.adaptive();
    private final SendCompletions completions;
    private final ProtectionDomain domain;
    private final ConnectionTable<IbConnection> table;
    private AdaptiveWait wait; // set before anything runs

    /**
     * An endpoint.
     *
     * @param completions its completion queue, its own or a shared one
     * @param domain where its queue pairs are made: the protection domain, or a parent domain with a thread domain of its own
     * @param table the connections by node id
     */
    SendEndpoint(SendCompletions completions, ProtectionDomain domain, ConnectionTable<IbConnection> table) {
        this.completions = completions;
        this.domain = domain;
        this.table = table;
    }

    void wire(AdaptiveWait waiting) {
        this.wait = waiting;
    }

    SendCompletions completions() {
        return completions;
    }

    ProtectionDomain domain() {
        return domain;
    }

    /** Posts an interest, and wakes the agent up where that is needed. Any thread. */
    void post(int nodeId, int interest) {
        if (interests.post(nodeId, interest)) {
            wait.wakeIfAsleep();
        }
    }

    /**
     * Send by caller: posts what there is and polls completions once. Any thread.
     *
     * @return whether anything was posted, or memory of the ring came free
     */
    boolean sendNow(IbConnection connection) {
        boolean sent = send(connection);
        if (completions.poll(connection) > 0) {
            send(connection);
            sent = true;
        }
        // An agent that parked with nothing outstanding has not armed the completion queue. For a message or two that
        // is right:
        // nothing depends on their completions. Before a sender depends on them, the agent has to poll, or to arm.
        if (completionsMatter(connection) && !completions.isArmed()) {
            wait.wakeIfAsleep();
        }
        return sent;
    }

    /** Whether the send queue is full, or so much of the ring that a sender may find no room. */
    private static boolean completionsMatter(IbConnection connection) {
        OutgoingRingBuffer ring = connection.connection().ring();
        return connection.stream().isStalled() || ring.pending() > ring.capacity() / 2;
    }

    /** Posts what there is; true when that was anything. Any thread. */
    boolean send(IbConnection connection) {
        return (sendAll(connection) & SENT) != 0;
    }

    /** Posts what there is: {@link #SENT}, {@link #BUSY}, both or nothing. */
    private int sendAll(IbConnection connection) {
        SendQueue queue = connection.sendQueue();
        int sent = 0;
        boolean saidStalled = false;
        if (queue == null || !connection.isUsable()) {
            return sent;
        }
        for (int chains = 0; chains < CHAINS_MAX; ) {
            SendQueue.Turn turn = turn(connection, queue);
            if (turn == SendQueue.Turn.FULL) {
                // Said first, then looked once more: a completion comes before the look, or sees what was said.
                if (!connection.stream().stall()) {
                    return sent;
                }
                saidStalled = true;
                continue;
            }
            if (saidStalled) {
                // The completion came before we said so, and there may be none to come that takes it back.
                saidStalled = false;
                if (connection.stream().takeStalled()) {
                    post(connection.nodeId(), WRITE);
                }
            }
            switch (turn) {
                case NOTHING -> {
                    if (!queue.hasNew()) {
                        return sent;
                    }
                }
                case ALL, MORE -> {
                    sent = SENT;
                    chains++;
                    if (turn == SendQueue.Turn.ALL && !queue.hasNew()) {
                        return sent;
                    }
                }
                case REFUSED -> {
                    post(connection.nodeId(), WRITE);
                    return sent;
                }
                case BUSY -> {
                    return sent | BUSY;
                }
                default -> {
                    return sent; // nothing is posted any more
                }
            }
        }
        post(connection.nodeId(), WRITE);
        return sent;
    }

    private static SendQueue.Turn turn(IbConnection connection, SendQueue queue) {
        try {
            return queue.send();
        } catch (RuntimeException e) {
            connection.fail("posting to the send queue failed: " + e.getMessage());
            return SendQueue.Turn.OVER;
        }
    }

    // ---------------------------------------------------------------- the agent

    /** One duty cycle: the watched streams, the interests, one poll. */
    int doWork() {
        watch.visit();
        return interests.drain(this) + completions.poll(null);
    }

    @Override
    public void interest(int nodeId, int bits) {
        for (IbConnection c = table.first(nodeId); c != null; c = c.next()) {
            if (!c.isUsable() || c.endpoint() != this) {
                continue;
            }
            int sent = sendAll(c);
            if ((bits & WRITE) != 0 && (sent & SENT) != 0) {
                watch.add(c.stream());
            }
            if ((bits & FLOW_CONTROL) != 0 && (sent & BUSY) != 0) {
                post(
                        nodeId,
                        FLOW_CONTROL); // another thread is posting: it may have taken the confirmations and signals
                // before
            }
        }
    }

    boolean hasWork() {
        return !interests.isEmpty() || completions.poll(null) > 0;
    }

    /** Whether a stream is being sent, and how long it may gather. */
    long limit(long timeoutNs) {
        return watch.isEmpty() ? timeoutNs : Math.min(timeoutNs, watch.intervalNs());
    }
}
