package io.dxnet.transport.ib;

import io.dxnet.NodeUnreachableException;
import io.dxnet.ibverbs.VerbsException;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.handshake.Connector;
import java.net.InetSocketAddress;

/**
 * Opens connections, on the threads that ask for them: one of those that want the same goes through the handshake, the others wait for it,
 * as all do where the other node is faster. Any thread.
 */
final class Opener {
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
            if (c.beginConnecting()) {
                attempt(c, address, deadlineNs);
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

    private void attempt(IbConnection c, InetSocketAddress address, long deadlineNs) throws NodeUnreachableException {
        try {
            if (c.nodeId() == context.nodeMap().ownNodeId()) {
                connectToItself(c);
            } else {
                connector.connect(new IbOpening(context, transport, c, deadlineNs), address, deadlineNs);
            }
        } catch (NodeUnreachableException e) {
            if (!c.connectingFailed() && (c.state() == IbConnection.State.NEW || c.isClosed())) {
                throw e;
            } // else the other node was faster
        } catch (VerbsException | IllegalStateException e) {
            c.connectingFailed();
            throw unreachable(c, e.getMessage());
        }
    }

    private void checkMayOpen(IbConnection c, long deadlineNs) throws NodeUnreachableException {
        String failure = c.failure() != null ? c.failure() : transport.events().failure();
        if (failure != null) {
            throw unreachable(c, failure);
        }
        if (c.isClosed() || c.state() == IbConnection.State.CLOSED) {
            throw unreachable(c, "the connection was closed");
        }
        if (System.nanoTime() - deadlineNs > 0) {
            throw unreachable(c, "it did not answer in time");
        }
    }

    private static NodeUnreachableException unreachable(IbConnection c, String why) {
        return new NodeUnreachableException("node " + c.nodeId() + " can't be reached: " + why);
    }

    /** A queue pair can be connected to itself: no handshake, and nobody to watch. */
    private void connectToItself(IbConnection c) throws NodeUnreachableException {
        boolean noted = false;
        boolean done = false;
        try {
            context.incoming(c.nodeId(), context.incarnation(), c.connection());
            noted = true;
            if (c.establish(transport.info(c), context.incarnation(), c.id(), true)) {
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
