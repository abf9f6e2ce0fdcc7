package io.dxnet.transport.ib;

import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Connector;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Opens connections, on the threads that ask for them: one of those that want the same goes through the handshake, the others wait for it,
 * as all do where the other node is faster. Any thread.
 */
final class Opener {
    private static final long FULL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final TransportContext context;
    private final IbTransport transport;
    private final Connector connector;

    Opener(TransportContext context, IbTransport transport, Connector connector) {
        this.context = context;
        this.transport = transport;
        this.connector = connector;
    }

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
            long attempt = c.beginConnecting();
            if (attempt != IbConnection.BY_PEER) {
                attempt(c, attempt, address, deadlineNs);
            } else {
                try {
                    c.awaitOpening(deadlineNs);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw unreachable(c, "interrupted");
                }
            }
        }
    }

    private void attempt(IbConnection c, long attempt, InetSocketAddress address, long deadlineNs)
            throws NodeUnreachableException {
        try {
            if (c.nodeId() == context.nodeMap().ownNodeId()) {
                connectToItself(c, attempt);
            } else {
                connector.connect(new IbOpening(context, transport, c, attempt, deadlineNs), address, deadlineNs);
            }
        } catch (NodeUnreachableException e) {
            if (!c.connectingFailed(attempt) && (c.state() == IbConnection.State.NEW || c.isClosed())) {
                throw e;
            } // else the other node was faster
        } catch (ConnectionSlots.FullException e) {
            c.connectingFailed(attempt);
            LockSupport.parkNanos(this, FULL_NS); // until a connection has ended, or the time is up
        } catch (VerbsException | IllegalStateException e) {
            c.connectingFailed(attempt);
            throw unreachable(c, e.getMessage());
        }
    }

    private void checkMayOpen(IbConnection c, long deadlineNs) throws NodeUnreachableException {
        String deviceFailure = transport.events().failure();
        if (deviceFailure != null) {
            throw unreachable(c, deviceFailure);
        }
        // The failed attempt may be the other node's, which it gave up: another connection may succeed.
        if (c.failure() != null) {
            throw new StaleConnectionException("node " + c.nodeId() + " can't be reached: " + c.failure());
        }
        if (c.isClosed() || c.state() == IbConnection.State.CLOSED) {
            throw new StaleConnectionException("the " + c.connection() + " was closed while it was opened");
        }
        if (System.nanoTime() - deadlineNs > 0) {
            throw unreachable(c, "it did not answer in time");
        }
    }

    private static NodeUnreachableException unreachable(IbConnection c, String why) {
        return new NodeUnreachableException("node " + c.nodeId() + " can't be reached: " + why);
    }

    /** A queue pair can be connected to itself: no handshake, and nobody to watch. */
    private void connectToItself(IbConnection c, long attempt) throws NodeUnreachableException {
        boolean noted = false;
        boolean done = false;
        try {
            context.incoming(c.nodeId(), context.incarnation(), c.connection());
            noted = true;
            if (c.establish(transport.info(c), context.incarnation(), c.id(), attempt)) {
                transport.peerIsReady(c);
                done = true;
            }
        } catch (RefusedException | VerbsException | IllegalStateException e) {
            throw unreachable(c, e.getMessage());
        } finally {
            if (noted && !done) {
                context.incomingFailed(c.connection()); // so that the next attempt is not refused
            }
        }
    }
}
