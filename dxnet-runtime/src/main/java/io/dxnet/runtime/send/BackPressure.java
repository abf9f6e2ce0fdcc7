package io.dxnet.runtime.send;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.SendTimeoutException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import java.util.concurrent.atomic.LongAdder;

/**
 * How senders wait for a connection that is full: its ring, its CUB or the flow
 * control's window (DXNet §VII, blocked threads).
 *
 * <p>One of a connection's waiting threads checks for room, writes to the wire what it can,
 * and parks for microseconds; the others queue up behind it without running at all.
 * With many more threads than cores that keeps the rate. If each of them checked by
 * itself, they would keep the cores from the one thread that all of them wait for,
 * which was preempted between its claim and its commit.
 */
final class BackPressure {
    private static final int STEPS_MAX = 16;

    private final Transport transport;
    private final IdleStrategies strategies;
    private final Connections connections;
    private final boolean sendByCaller;
    private final int timeoutMs;
    private final LongAdder blocked = new LongAdder();

    BackPressure(DXNetConfig config, Transport transport, IdleStrategies strategies, Connections connections) {
        this.transport = transport;
        this.strategies = strategies;
        this.connections = connections;
        this.sendByCaller = config.sendByCaller();
        this.timeoutMs = config.sendTimeoutMs();
    }

    long timesBlocked() {
        return blocked.sum();
    }

    /**
     * Begins an episode of waiting; returns when this thread may check for room.
     * {@link #end} has to follow.
     */
    SendWait begin(SenderThread thread, PeerConnection connection) {
        blocked.increment();
        strategies.blocked();
        SendWait wait = thread.borrowWait();
        wait.begin(connection, strategies.firstStep());
        // A thread of the engine has more to do than to wait, a response does not
        // wait for the window, and the thread that streams has the ring's lock:
        // the holder of the gate may wait for each of them.
        if (thread.window() == Window.OBSERVED && thread.streaming != connection) {
            enterGate(wait);
        }
        return wait;
    }

    /**
     * Queues up behind the thread that checks for room. Its wait is bounded, so no timeout is
     * needed here: where it fails, each of the others fails in turn. A wake-up of each every
     * now and then costs more than all of the sending when 10,000 wait.
     */
    private static void enterGate(SendWait wait) {
        wait.connection().gate().lock(); // an interrupt does not unsend: the flag stays
        wait.gated();
    }

    void end(SenderThread thread, SendWait wait) {
        strategies.unblocked();
        wait.end();
        thread.returnWait(wait);
    }

    /**
     * Whether to check for room now. Not for the first few bytes that come free:
     * then each of many threads would be woken up for a message or two. But always after
     * some steps, because others may use what comes free.
     */
    boolean mayLook(SendWait wait) {
        OutgoingRingBuffer ring = wait.connection().ring();
        return wait.steps() % STEPS_MAX == STEPS_MAX - 1 || ring.pending() <= ring.capacity() - ring.capacity() / 4;
    }

    /** One step of waiting. */
    void step(SenderThread thread, SendWait wait) throws DXNetException {
        connections.checkOpen();
        PeerConnection connection = wait.connection();
        if (sendByCaller && connection.ring().backlog() > 0 && transport.sendNow(connection)) {
            wait.restart(strategies.firstStep());
        } else if (thread.engineThread == null || thread.engineThread.work().progress() == 0) {
            strategies.pause(wait.nextStep());
        }
        checkProgress(wait);
    }

    private void checkProgress(SendWait wait) throws SendTimeoutException {
        if (wait.nsWithoutProgress() > timeoutMs * 1_000_000L) {
            PeerConnection connection = wait.connection();
            throw new SendTimeoutException("node " + connection.nodeId() + " accepted nothing for " + timeoutMs
                    + " ms (sendTimeoutMs): " + connection.unconfirmedBytes()
                    + " bytes are unconfirmed; its callbacks are slow or stuck, or the network is");
        }
    }
}
