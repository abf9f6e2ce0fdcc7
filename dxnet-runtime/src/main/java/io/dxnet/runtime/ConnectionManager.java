package io.dxnet.runtime;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.Message;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.transport.OutgoingRingBuffer;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Connections by node id (DXNet §IX): made on demand, at most one to a node, at most {@code maxConnections}, the least recently
 * used dismissed gracefully.
 *
 * <p>A connection that is being closed leaves the table at once, so that either side can make a new one; the new one waits for
 * its predecessor's end before it sends, which keeps the order of messages.
 */
final class ConnectionManager implements PeerConnection.Owner, AutoCloseable {
    /** How often who waits for a connection looks at what nobody tells. */
    private static final int LOOK_MS = 250;

    private final DXNetConfig config;
    private final NodeMap nodeMap;
    private final long incarnation;
    private final RingMemory memory;
    private final RequestMap requests;
    private final Control control;
    private final Parking parking;
    private final AtomicReferenceArray<PeerConnection> table = new AtomicReferenceArray<>(Message.NODES_MAX);
    private final AtomicReferenceArray<PeerConnection> leaving = new AtomicReferenceArray<>(Message.NODES_MAX);
    private final AtomicInteger count = new AtomicInteger(); // connections in the table or leaving
    private final AtomicInteger opened = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final Connectors connectors;
    private final long stepBytes;
    private Transport transport; // set before anything runs
    private MessageCreationCoordinator coordinator; // set before anything runs
    private volatile boolean closing; // no connection is made any more; under the monitor
    private volatile boolean closed;

    ConnectionManager(
            DXNetConfig config,
            NodeMap nodeMap,
            long incarnation,
            RingMemory memory,
            RequestMap requests,
            Control control,
            Parking parking) {
        this.config = config;
        this.nodeMap = nodeMap;
        this.incarnation = incarnation;
        this.memory = memory;
        this.requests = requests;
        this.control = control;
        this.parking = parking;
        this.stepBytes = stepBytes(config);
        this.connectors = new Connectors("dxnet-" + nodeMap.ownNodeId() + "-connect");
    }

    /** The flow control's step: what one confirmation stands for, bytes. Equal on both sides by the handshake. */
    static long stepBytes(DXNetConfig config) {
        return Math.max(1, (long) config.flowControlWindowBytes() * config.flowControlThresholdPercent() / 100);
    }

    void wire(Transport toUse, MessageCreationCoordinator mcc) {
        this.transport = toUse;
        this.coordinator = mcc;
    }

    // ---------------------------------------------------------------- looking up and making

    /** The connection to a node, made now where there is none; its ring may still be closed. Any thread. */
    PeerConnection connectionTo(int nodeId) throws DXNetException {
        PeerConnection connection = table.getAcquire(nodeId);
        if (connection == null) {
            connection = create(nodeId);
        }
        int tick = control.tick();
        if (connection.lastUsed != tick) {
            connection.lastUsed = tick;
            connection.loneWrites = 0;
            connection.loneWritesNs = 0;
            control.used();
        }
        return connection;
    }

    private synchronized PeerConnection create(int nodeId) {
        if (closing) {
            throw closedException();
        }
        PeerConnection connection = table.get(nodeId);
        if (connection == null) {
            if (count.get() >= config.maxConnections()) {
                dismissLeastRecentlyUsed();
            }
            OutgoingRingBuffer ring =
                    new OutgoingRingBuffer(memory.take(), config.cubEntries(), config.flowControlWindowBytes());
            connection = new PeerConnection(nodeId, ring, config.flowControlWindowBytes(), stepBytes, this);
            connection.lastUsed = control.tick();
            control.used(); // its first message is of the tick that it is made in, and no later use would say so
            count.incrementAndGet();
            table.set(nodeId, connection);
        }
        return connection;
    }

    private void dismissLeastRecentlyUsed() {
        PeerConnection oldest = null;
        for (PeerConnection connection : connections()) {
            if (connection.isOpen()
                    && connection.wasAnnounced()
                    && (oldest == null || connection.lastUsed - oldest.lastUsed < 0)
                    && !requests.hasAny(connection)) {
                oldest = connection;
            }
        }
        if (oldest != null) {
            finish(oldest, Disconnect.Reason.DISMISSED);
        }
    }

    /** Makes the direction to the connection's node usable, or throws. Waits; a thread of the engine goes on working. */
    void connectOut(PeerConnection connection, EngineThread engineThread) throws DXNetException {
        long deadlineNs = System.nanoTime() + (config.connectTimeoutMs() + config.closeTimeoutMs()) * 1_000_000L;
        if (connection.startConnecting()) {
            startConnecting(connection);
        }
        int step = parking.firstStep();
        while (connection.isOpen() && !connection.isOutReady() && connection.isConnecting()) {
            checkOpen();
            if (System.nanoTime() - deadlineNs > 0) {
                throw new NodeUnreachableException("node " + connection.nodeId() + " was not connected within "
                        + config.connectTimeoutMs() + " ms (connectTimeoutMs)");
            }
            if (engineThread == null) {
                awaitChange(connection);
            } else {
                PeerConnection predecessor = leaving.get(connection.nodeId());
                if (predecessor != null) {
                    predecessor.endUrgent();
                }
                if (engineThread.work().progress() == 0) {
                    parking.pause(step++);
                }
            }
        }
        checkOpen();
        Exception failure = connection.connectFailure();
        if (!connection.isOutReady() && failure != null) {
            throw new NodeUnreachableException(failure.getMessage(), failure);
        }
    }

    private void awaitChange(PeerConnection connection) throws DXNetException {
        synchronized (connection.changed) {
            if (connection.isOpen() && !connection.isOutReady() && connection.isConnecting()) {
                try {
                    connection.changed.wait(LOOK_MS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new NodeUnreachableException(
                            "interrupted while connecting to node " + connection.nodeId(), e);
                }
            }
        }
    }

    /** Opens the direction to a peer that is to be told goodbye. */
    void connectForGoodbye(PeerConnection connection) {
        if (!closed && connection.startConnecting()) {
            startConnecting(connection);
        }
    }

    private void startConnecting(PeerConnection connection) {
        if (connection.isOutReady()) {
            connection.connectEnded(null); // another job was done between our look and our start
            return;
        }
        try {
            connectors.execute(() -> connect(connection));
        } catch (RejectedExecutionException e) {
            connection.connectEnded(new NetClosedException("closed"));
        }
    }

    /** The connect job, on a connector's thread. */
    private void connect(PeerConnection connection) {
        int nodeId = connection.nodeId();
        long deadlineNs = System.nanoTime() + config.connectTimeoutMs() * 1_000_000L;
        try {
            awaitPredecessor(nodeId, connection);
            transport.connect(connection, nodeMap.address(nodeId), deadlineNs);
        } catch (DXNetException | RuntimeException e) {
            connection.connectEnded(e);
            if (!connection.wasAnnounced()) {
                lost(connection, Disconnect.Reason.LOST, e.getMessage());
            }
            signalChange(connection);
            return;
        }
        connected(connection);
    }

    /** The direction to the other node may be used. */
    private void connected(PeerConnection connection) {
        connection.outReady();
        connection.connectEnded(null);
        announce(connection);
        if (connection.state() == PeerConnection.CLOSED) {
            transport.close(connection, false); // it ended while we connected
        }
        signalChange(connection);
    }

    /** Messages of the new connection must not overtake those of the old one. Bounded by the old one's close timeout. */
    private void awaitPredecessor(int nodeId, PeerConnection connection) {
        PeerConnection old = leaving.get(nodeId);
        while (old != null && old != connection && !closed) {
            synchronized (old.changed) {
                if (old.state() != PeerConnection.CLOSED) {
                    try {
                        old.changed.wait(LOOK_MS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                        return;
                    }
                }
            }
            old = old.state() == PeerConnection.CLOSED ? null : leaving.get(nodeId);
        }
    }

    private void announce(PeerConnection connection) {
        if (connection.isOpen() && connection.announce()) {
            opened.incrementAndGet();
            control.connected(connection.nodeId());
        }
    }

    // ---------------------------------------------------------------- incoming

    /** See {@link io.dxnet.transport.TransportContext#incoming}. */
    PeerConnection incoming(int nodeId, long peerIncarnation, PeerConnection expected) throws RefusedException {
        if (closing) {
            throw new RefusedException("node " + nodeMap.ownNodeId() + " is shutting down");
        }
        if (nodeId == nodeMap.ownNodeId() && peerIncarnation != incarnation) {
            throw new RefusedException("node id " + nodeId + " is the id of this node itself: give each node its own");
        }
        PeerConnection connection = expected != null ? expected : table.get(nodeId);
        if (connection != null && connection.peerIncarnation() != 0) {
            if (connection.peerIncarnation() == peerIncarnation) {
                throw new RefusedException("node " + nodeId + " is connected already", true);
            }
            throw new RefusedException(
                    "node id " + nodeId
                            + " is in use by another running node (or by one whose end was not noticed yet)",
                    true);
        }
        if (expected == null) {
            connection = create(nodeId);
        } else if (!expected.isOpen()) {
            throw new RefusedException("that connection is ending", false);
        }
        connection.peerIncarnation(peerIncarnation);
        return connection;
    }

    /** See {@link io.dxnet.transport.TransportContext#incomingReady}. */
    void incomingReady(PeerConnection connection, boolean bothWays) {
        announce(connection);
        int nodeId = connection.nodeId();
        if (nodeId == nodeMap.ownNodeId() || !bothWays && nodeMap.address(nodeId) == null) {
            return;
        }
        if (connection.startConnecting()) {
            if (bothWays && !connection.isOutReady() && leaving.get(nodeId) == null) {
                connected(connection);
            } else {
                // The answers will need it; a failure shows when somebody sends.
                startConnecting(connection);
            }
        }
    }

    // ---------------------------------------------------------------- ending

    /** Ends a connection in order: what was sent is delivered first. Any thread; the work is the control thread's. */
    void finish(PeerConnection connection, Disconnect.Reason reason) {
        if (connection.startClosing(reason)) {
            leaving.set(connection.nodeId(), connection);
            table.compareAndSet(connection.nodeId(), connection, null);
            control.poll(new Farewell(connection, transport, requests, this, config.closeTimeoutMs()));
            signalChange(connection);
        }
    }

    /** The connection is over, now. Any thread; the second call does nothing. */
    void lost(PeerConnection connection, Disconnect.Reason reason, String detail) {
        end(connection, reason, detail, false);
    }

    void end(PeerConnection connection, Disconnect.Reason reason, String detail, boolean orderly) {
        if (connection.close(orderly) == PeerConnection.CLOSED) {
            return;
        }
        int nodeId = connection.nodeId();
        connection.ring().close();
        table.compareAndSet(nodeId, connection, null);
        leaving.compareAndSet(nodeId, connection, null);
        count.decrementAndGet();
        long unconfirmed = orderly ? 0 : connection.unconfirmedBytes();
        requests.failAll(
                request -> request.connection == connection,
                request -> new ConnectionLostException("the connection to node " + nodeId + " ended before "
                        + request.what + " was answered: " + detail));
        transport.close(connection, orderly);
        if (connection.wasAnnounced()) {
            ended.incrementAndGet();
            control.disconnected(nodeId, new Disconnect(reason, detail, unconfirmed));
        }
        signalChange(connection);
    }

    /**
     * The transport says that a connection broke, or that its peer hung up. What arrived before is read first: there may be
     * responses in it, or a goodbye.
     */
    void brokenByTransport(PeerConnection connection, String detail) {
        if (connection.state() == PeerConnection.CLOSED) {
            return;
        }
        connection.ring().close();
        if (connection.queuedBuffers.get() == 0) {
            endBroken(connection, detail);
        } else {
            long deadlineNs = System.nanoTime() + config.closeTimeoutMs() * 1_000_000L;
            control.poll(() -> {
                if (connection.queuedBuffers.get() > 0 && System.nanoTime() - deadlineNs < 0) {
                    return false;
                }
                endBroken(connection, detail);
                return true;
            });
        }
    }

    private void endBroken(PeerConnection connection, String detail) {
        Disconnect.Reason reason = connection.closeReason();
        boolean orderly = reason != null && connection.hasEndedInOrder();
        end(connection, orderly ? reason : Disconnect.Reason.LOST, detail, orderly);
    }

    @Override
    public void protocolError(PeerConnection connection, String what) {
        lost(
                connection,
                Disconnect.Reason.PROTOCOL_ERROR,
                "node " + connection.nodeId() + " broke the protocol: " + what);
    }

    /** The peer's last message was read: it will send nothing more. */
    void peerSaidGoodbye(PeerConnection connection) {
        connection.peerSaidGoodbye();
        finish(connection, Disconnect.Reason.CLOSED_BY_PEER);
        control.wakeup();
    }

    @Override
    public void flowControlPosted(PeerConnection connection) {
        if (connection.state() != PeerConnection.CLOSED) {
            transport.flowControlPosted(connection);
        }
    }

    @Override
    public void released(PeerConnection connection) {
        coordinator.ended(connection);
        control.retire(connection, memory);
    }

    private static void signalChange(PeerConnection connection) {
        synchronized (connection.changed) {
            connection.changed.notifyAll();
        }
    }

    // ---------------------------------------------------------------- all of them

    void checkOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private NetClosedException closedException() {
        return new NetClosedException("this DXNet (node " + nodeMap.ownNodeId() + ") is closed");
    }

    PeerConnection get(int nodeId) {
        return table.get(nodeId);
    }

    List<PeerConnection> connections() {
        List<PeerConnection> all = new ArrayList<>();
        int most = count.get(); // once: others end while we look
        for (int i = 0; i < Message.NODES_MAX && all.size() < most; i++) {
            PeerConnection connection = table.getAcquire(i);
            if (connection != null) {
                all.add(connection);
            }
        }
        return all;
    }

    long opened() {
        return opened.get();
    }

    long ended() {
        return ended.get();
    }

    /** Whether any connection is left, in whatever state. */
    boolean isEmpty() {
        return count.get() == 0;
    }

    /**
     * Ends all connections in order, and makes no new ones: what this node or others go on to send must not keep it from
     * closing.
     */
    void finishAll() {
        synchronized (this) {
            closing = true;
        }
        for (PeerConnection connection : connections()) {
            finish(connection, Disconnect.Reason.CLOSED);
        }
    }

    /** After {@link #finishAll}: no more waiting for anything; wakes who waits for a connection. */
    @Override
    public void close() {
        closed = true;
        connectors.close();
        connections().forEach(ConnectionManager::signalChange);
    }
}
