package io.dxnet.transport.ib;

import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.connection.ConnectionState;
import io.dxnet.transport.connection.Connections;
import io.dxnet.transport.handshake.Connector;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens connections, on the threads that ask for them: one of those that want the same performs the
 * handshake, the others wait for it, as all do where the other node is faster. Any thread.
 *
 * @param context the engine
 * @param connections that number the attempts
 * @param sides where the channels stay after the handshake
 * @param events of the device
 * @param connector for the handshake
 */
record Opener(
        TransportContext context,
        Connections<IbConnection> connections,
        ControlChannels sides,
        DeviceEvents events,
        Connector connector) {
    private static final long FULL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Returns when a connection may be used.
     *
     * @param address of the other node's acceptor
     * @param deadlineNs of {@link System#nanoTime()}
     * @throws NodeUnreachableException if it can't be opened, or not in time
     */
    void open(IbConnection c, InetSocketAddress address, long deadlineNs) throws NodeUnreachableException {
        while (!c.isUsable()) {
            checkMayOpen(c, deadlineNs);
            long attempt = c.beginConnecting(connections::nextId);
            if (attempt != IbConnection.NOT_BEGUN) {
                attempt(c, attempt, address, deadlineNs);
            } else if (!c.awaitOpening(deadlineNs)) {
                throw unreachable(c, "interrupted");
            }
        }
    }

    private void attempt(IbConnection c, long attempt, InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        IbOpening opening = new IbOpening(context, sides, c, attempt, deadlineNs);
        try {
            if (c.nodeId() == context.nodeMap().ownNodeId()) {
                opening.openToItself();
            } else {
                connector.connect(opening, address, deadlineNs);
            }
        } catch (NodeUnreachableException e) {
            boolean retry = c.connectingFailed(attempt);
            ConnectionState now = c.state();
            if (!retry && (now == ConnectionState.NEW || now.isClosed())) {
                throw e;
            } // else the other node was faster, or it failed
        } catch (ConnectionSlots.FullException e) {
            c.connectingFailed(attempt);
            LockSupport.parkNanos(this, FULL_NS); // until a connection has ended, or the time is up
        } catch (IOException | VerbsException | IllegalStateException e) {
            c.connectingFailed(attempt);
            throw unreachable(c, e.getMessage());
        }
    }

    private void checkMayOpen(IbConnection c, long deadlineNs) throws NodeUnreachableException {
        String deviceFailure = events.failure();
        if (deviceFailure != null) {
            throw unreachable(c, deviceFailure);
        }
        // The failed attempt may be the other node's, which it abandoned:
        // another connection may succeed.
        if (c.failure() != null) {
            throw new StaleConnectionException("node " + c.nodeId() + " can't be reached: " + c.failure());
        }
        if (c.isClosed()) {
            throw new StaleConnectionException("the " + c.connection() + " was closed while it was opened");
        }
        if (System.nanoTime() - deadlineNs > 0) {
            throw unreachable(c, "it did not answer in time");
        }
    }

    private static NodeUnreachableException unreachable(IbConnection c, String why) {
        return new NodeUnreachableException("node " + c.nodeId() + " can't be reached: " + why);
    }
}
