package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.ibverbs.ProtectionDomain;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.idle.ThreadSignal;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.shared.InterestQueue;
import io.dxnet.transport.shared.SendBatcher;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A send endpoint (scalable endpoints §VI): the connections that one agent sends for, with the
 * write interest manager (WIM, Ibdxnet §8.2): round robin over connections, one entry for each,
 * data and flow control counted apart. Which of an endpoint's resources are its own is
 * configuration; with one endpoint it is the msgrc engine's send thread.
 *
 * <p>The methods of {@link SendSide}: any thread; the others: the agent that drives this endpoint.
 */
final class SendEndpoint implements SendSide, InterestQueue.Handler {
    /** {@link #sendAll}: something was posted. */
    private static final int SENT = 1;
    /** {@link #sendAll}: another thread is posting. */
    private static final int BUSY = 2;

    /** Chains of one turn; after them, others' turn. */
    private static final int CHAINS_MAX = 4;

    private final InterestQueue interests = new InterestQueue();
    private final SendBatcher watch = SendBatcher.patient();
    private final SendCompletions completions;
    private final ProtectionDomain domain;
    private final Connections<IbConnection> connections;
    private ThreadSignal signal; // set before anything runs

    /**
     * An endpoint.
     *
     * @param completions its completion queue, its own or a shared one
     * @param domain where its queue pairs are made: the protection domain, or a parent domain with
     *     a thread domain of its own
     * @param connections the connections by node id
     */
    SendEndpoint(SendCompletions completions, ProtectionDomain domain, Connections<IbConnection> connections) {
        this.completions = completions;
        this.domain = domain;
        this.connections = connections;
    }

    void wire(ThreadSignal toRaise) {
        this.signal = toRaise;
    }

    SendCompletions completions() {
        return completions;
    }

    @Override
    public ProtectionDomain domain() {
        return domain;
    }

    @Override
    public CompletionQueue completionQueue() {
        return completions.queue();
    }

    @Override
    public AtomicInteger outstanding() {
        return completions.outstanding();
    }

    @Override
    public int reserve(IbConnection connection) {
        return completions.reserve(connection);
    }

    @Override
    public void forget(IbConnection connection, int slot) {
        completions.forget(connection, slot);
    }

    @Override
    public void pollCompletions() {
        completions.poll(null);
    }

    @Override
    public void post(int nodeId, int interest) {
        if (interests.post(nodeId, interest)) {
            signal.raise();
        }
    }

    @Override
    public boolean sendNow(IbConnection connection) {
        int result = sendAll(connection);
        if (result == BUSY) {
            // The thread that posts polls next, and checks whether the agent has to.
            return false;
        }
        boolean sent = (result & SENT) != 0;
        try {
            if (completions.poll(connection) > 0) {
                send(connection);
                sent = true;
            }
        } finally {
            if (connection.stream().takeResumed()
                    && !connection.connection().ring().hasPostedAll()) {
                connection.dataPosted(); // threads that commit now may have read that it was stalled
            }
        }
        // An agent that parked with nothing outstanding has not armed the completion queue. For a
        // message or two that is right: nothing depends on their completions. Before a sender
        // depends on them, the agent has to poll, or to arm.
        if (completionsMatter(connection) && !completions.isArmed()) {
            signal.raise();
        }
        return sent;
    }

    /** Whether the send queue is full, or so much of the ring that a sender may find no room. */
    private static boolean completionsMatter(IbConnection connection) {
        OutgoingRingBuffer ring = connection.connection().ring();
        return connection.stream().isFull() || ring.pending() > ring.capacity() / 2;
    }

    @Override
    public boolean send(IbConnection connection) {
        return (sendAll(connection) & SENT) != 0;
    }

    /** Posts what there is: {@link #SENT}, {@link #BUSY}, both or nothing. */
    private int sendAll(IbConnection connection) {
        SendQueue queue = connection.sendQueue();
        int sent = 0;
        boolean reportedStalled = false;
        if (queue == null || !connection.isUsable()) {
            return sent;
        }
        for (int chains = 0; chains < CHAINS_MAX; ) {
            SendQueue.Turn turn = turn(connection, queue);
            if (turn == SendQueue.Turn.FULL) {
                // Reported first, then checked again: a completion comes before
                // the check, or sees the report.
                if (!connection.stream().stall()) {
                    return sent;
                }
                reportedStalled = true;
                continue;
            }
            if (reportedStalled) {
                // The completion came before the report, and there may
                // be none to come that clears it.
                reportedStalled = false;
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
            connection.fail(Channels.failed("posting to the send queue failed", e));
            return SendQueue.Turn.OVER;
        } catch (Error e) { // what was removed to be posted is lost
            connection.fail("an error ended a post to the send queue");
            throw e;
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
        for (IbConnection c = connections.first(nodeId); c != null; c = c.next()) {
            if (!c.isUsable() || c.endpoint() != this) {
                continue;
            }
            int sent;
            try {
                sent = sendAll(c);
            } catch (OutOfMemoryError e) { // the next cycle applies what this one has removed
                post(nodeId, bits);
                throw e;
            }
            if ((bits & WRITE) != 0) {
                watch.sent(c.stream(), (sent & SENT) != 0);
            }
            if ((bits & FLOW_CONTROL) != 0 && (sent & BUSY) != 0) {
                // Another thread is posting: it may have read the confirmations and
                // signals before these were added.
                post(nodeId, FLOW_CONTROL);
            }
        }
    }

    boolean hasWork() {
        return !interests.isEmpty() || watch.hasWork() || completions.poll(null) > 0;
    }

    /** The longest wait: streams gather for a while, and claimed regions are awaited. */
    long limit(long timeoutNs) {
        return watch.limitNs(timeoutNs);
    }
}
