package io.dxnet.runtime.connect;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.send.StreamOpener;
import io.dxnet.runtime.thread.EngineThread;
import io.dxnet.transport.StaleConnectionException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Opens outgoing streams on threads that may block, and lets senders wait for them.
 * A connection that turns out to be over at the other node is no failure: the sender
 * continues with a new one, until the time for connecting is up.
 */
public final class Connecting implements StreamOpener, AutoCloseable {
    /** How often a waiting thread checks for what it is not signalled. */
    private static final long CHECK_NS = 250_000_000;

    private static final long BACKOFF_NS_MIN = 500_000;
    private static final long BACKOFF_NS_MAX = 16_000_000;

    private final NodeMap nodeMap;
    private final IdleStrategies strategies;
    private final Connectors connectors;
    private final long connectTimeoutNs;
    private final long closeTimeoutNs;
    private final int connectTimeoutMs;

    @SuppressWarnings("NullAway.Init") // by wire()
    private Transport transport; // set before anything runs

    @SuppressWarnings("NullAway.Init") // by wire()
    private ConnectionManager connections; // set before anything runs

    public Connecting(DXNetConfig config, NodeMap nodeMap, IdleStrategies strategies) {
        this.nodeMap = nodeMap;
        this.strategies = strategies;
        this.connectors = new Connectors("dxnet-" + nodeMap.ownNodeId() + "-connect");
        this.connectTimeoutMs = config.connectTimeoutMs();
        this.connectTimeoutNs = config.connectTimeoutMs() * 1_000_000L;
        this.closeTimeoutNs = config.closeTimeoutMs() * 1_000_000L;
    }

    public void wire(Transport toUse, ConnectionManager manager) {
        this.transport = toUse;
        this.connections = manager;
    }

    /** See {@link ConnectionManager.Host#open}. */
    public void open(PeerConnection connection) {
        try {
            connectors.execute(() -> connect(connection));
        } catch (RejectedExecutionException e) {
            connections.openingFailed(connection, connections.closedException());
        }
    }

    private void connect(PeerConnection connection) {
        try {
            transport.connect(connection, nodeMap.address(connection.nodeId()), System.nanoTime() + connectTimeoutNs);
        } catch (DXNetException | RuntimeException e) {
            connections.openingFailed(connection, e);
            return;
        } catch (Error e) {
            connections.openingInterrupted(connection, e);
            throw e;
        }
        connections.opened(connection);
    }

    /**
     * Waits until the stream of a connection to the node is open. A thread of the
     * engine continues its work meanwhile.
     *
     * @param engineThread the calling thread, where it is one of the engine
     * @return the connection
     * @throws NodeUnreachableException with the reason
     */
    @Override
    public PeerConnection await(int nodeId, @Nullable EngineThread engineThread) throws DXNetException {
        long deadlineNs = System.nanoTime() + connectTimeoutNs + closeTimeoutNs;
        long backoffNs = BACKOFF_NS_MIN;
        for (; ; ) {
            PeerConnection connection = connections.connectionTo(nodeId);
            connections.openOutgoing(connection);
            awaitOpening(connection, PeerConnection::isOpen, engineThread, deadlineNs);
            if (connection.isOutReady() && connection.isOpen()) {
                return connection;
            }
            connections.checkOpen();
            connections.leaveIfEnding(connection);
            backoffNs = backOffAfter(connection.connectFailure(), nodeId, engineThread, deadlineNs, backoffNs);
        }
    }

    /**
     * Waits for another attempt, or throws what ends the attempts; returns how
     * long to wait the next time.
     */
    @SuppressWarnings("NullAway") // a message may be null
    private long backOffAfter(
            @Nullable Exception failure,
            int nodeId,
            @Nullable EngineThread engineThread,
            long deadlineNs,
            long backoffNs)
            throws NodeUnreachableException {
        if (failure instanceof NetClosedException closed) {
            throw closed;
        }
        if (failure != null && !(failure instanceof StaleConnectionException)) {
            throw new NodeUnreachableException(failure.getMessage(), failure);
        }
        if (System.nanoTime() - deadlineNs > 0) {
            throw new NodeUnreachableException("node " + nodeId + " was not connected within " + connectTimeoutMs
                    + " ms (connectTimeoutMs)" + (failure == null ? "" : ": " + failure.getMessage()));
        }
        if (failure == null) {
            return backoffNs;
        }
        backOff(engineThread, backoffNs);
        return Math.min(2 * backoffNs, BACKOFF_NS_MAX);
    }

    /**
     * Opens the stream of this connection for a response, also while the connection or
     * this node is being closed. On another connection, no thread waits for the response.
     * Returns when it is open, or not of use any more.
     */
    @Override
    public void openStream(PeerConnection connection, @Nullable EngineThread engineThread) throws DXNetException {
        long deadlineNs = System.nanoTime() + connectTimeoutNs + closeTimeoutNs;
        long backoffNs = BACKOFF_NS_MIN;
        while (!connection.isOutReady() && connection.life().acceptsResponses()) {
            connections.checkOpen();
            connections.openOutgoing(connection);
            awaitOpening(connection, each -> !each.life().isEnded(), engineThread, deadlineNs);
            if (!connection.isOutReady()) {
                backoffNs = backOffAfter(
                        connection.connectFailure(), connection.nodeId(), engineThread, deadlineNs, backoffNs);
            }
        }
    }

    /**
     * Waits until the stream of this connection is open, also while it
     * ends; false when it will not be.
     */
    @Override
    public boolean awaitOpen(PeerConnection connection, @Nullable EngineThread engineThread)
            throws NodeUnreachableException {
        awaitOpening(
                connection,
                ending -> !ending.life().isEnded(),
                engineThread,
                System.nanoTime() + connectTimeoutNs + closeTimeoutNs);
        return connection.isOutReady();
    }

    private void awaitOpening(
            PeerConnection connection,
            Predicate<PeerConnection> isOfUse,
            @Nullable EngineThread engineThread,
            long deadlineNs)
            throws NodeUnreachableException {
        int step = strategies.firstStep();
        while (isOfUse.test(connection)
                && !connection.isOutReady()
                && connection.life().isOpening()) {
            connections.checkOpen();
            if (System.nanoTime() - deadlineNs > 0) {
                return;
            }
            if (engineThread != null) {
                connection.handlerWaits();
                engineThread.progressOrPause(step++);
                continue;
            }
            try {
                connection.awaitChange(isOfUse, CHECK_NS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new NodeUnreachableException("interrupted while connecting to node " + connection.nodeId(), e);
            }
        }
    }

    private static void backOff(@Nullable EngineThread engineThread, long ns) {
        if (engineThread == null || engineThread.work().progress() == 0) {
            LockSupport.parkNanos(ns);
        }
    }

    /** Interrupts the attempts. */
    @Override
    public void close() {
        connectors.close();
    }
}
