package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import io.dxnet.contract.TestConnection;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import io.dxnet.transport.ring.Window;
import io.dxnet.transport.security.NodeSecurity;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A transport without an engine: it accepts every connection, discards what arrives, and runs
 * an agent only when a test calls {@link #cycle}. So a test chooses the order in which the
 * threads of a node do what they do.
 */
final class FakeEngine implements TransportContext, AutoCloseable {
    private static final int RING_BYTES = 16 << 10;
    /** More are not kept. */
    private static final int ERRORS_MAX = 1000;

    final IbTransport transport;
    final Queue<String> lost = new ConcurrentLinkedQueue<>();
    final Queue<String> errors = new ConcurrentLinkedQueue<>();
    private final AtomicInteger errorCount = new AtomicInteger();
    final AtomicInteger incomingFailed = new AtomicInteger();
    volatile Consumer<Connection> onLost = connection -> {};
    volatile Consumer<Connection> onReady = connection -> {};
    volatile Consumer<IncomingBuffer> onData = buffer -> {};
    volatile Runnable onTake = () -> {}; // before a buffer of the pool is acquired
    private final DXNetConfig config;
    private final NodeSecurity security;
    private final NodeMap nodeMap;
    private final Arena arena = Arena.ofShared();
    private final IncomingBufferPool pool;
    private final Map<Integer, FakeConnection> connections = new ConcurrentHashMap<>();
    private final Queue<FakeConnection> ending = new ConcurrentLinkedQueue<>();

    /** A connection of which only the ring is real. */
    static final class FakeConnection extends TestConnection {
        volatile boolean open = true;
        volatile boolean released;
        volatile Runnable onFlowControl = () -> {};
        volatile Runnable onTakeSignals = () -> {}; // the thread that posts, or that ends the connection

        /** Thrown by the next post to the send queue. */
        volatile Error inPost;

        FakeConnection(int nodeId, OutgoingRingBuffer ring) {
            super(nodeId, ring);
        }

        /** Commits bytes, whichever. */
        void write(int bytes) {
            long claim = ring().tryClaim(bytes, Window.IGNORED);
            if (claim < 0) {
                throw new AssertionError("no room for " + bytes + " bytes");
            }
            ring().commit(claim, bytes);
        }

        @Override
        public int takeSignals() {
            Error error = inPost;
            if (error != null) {
                inPost = null;
                throw error;
            }
            onTakeSignals.run();
            return super.takeSignals();
        }

        @Override
        public void flowControlReceived(int count) {
            onFlowControl.run();
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void released() {
            released = true;
        }
    }

    /** A node that is not started, on the tests' device. */
    FakeEngine(DXNetConfig.Builder settings, NodeMap nodeMap) {
        this.config = settings.build();
        this.security = NodeSecurity.of(config);
        this.nodeMap = nodeMap;
        this.pool = new IncomingBufferPool(config);
        boolean done = false;
        try {
            this.transport = new IbTransport(this, IbOptions.from(config.transportOptions()));
            done = true;
        } finally {
            if (!done) {
                pool.close();
                arena.close();
            }
        }
    }

    /** A started node with the smallest queues. */
    static FakeEngine started(int nodeId, List<String> addresses) {
        return started(IbNodes.tiny(DXNetConfig.builder()), nodeId, addresses);
    }

    static FakeEngine started(DXNetConfig.Builder settings, int nodeId, List<String> addresses) {
        return started(settings, Ports.map(nodeId, addresses));
    }

    static FakeEngine started(DXNetConfig.Builder settings, NodeMap nodeMap) {
        FakeEngine engine = new FakeEngine(settings, nodeMap);
        engine.transport.start();
        return engine;
    }

    FakeConnection connection(int nodeId) {
        return connections.computeIfAbsent(
                nodeId,
                id -> new FakeConnection(id, new OutgoingRingBuffer(arena.allocate(RING_BYTES, 4096), 256, 1 << 20)));
    }

    IbConnection state(int nodeId) {
        return transport.connections().of(connection(nodeId));
    }

    /** The connection ends: the next one to that node is another one. */
    FakeConnection end(int nodeId) {
        FakeConnection ended = connections.remove(nodeId);
        ended.open = false;
        ending.add(ended);
        return ended;
    }

    /** Opens the connection from this node, and waits until the other node may send too. */
    void connect(FakeEngine to) throws NodeUnreachableException {
        int other = to.nodeMap.ownNodeId();
        transport.connect(
                connection(other),
                nodeMap.address(other),
                System.nanoTime() + Cluster.seconds(20).toNanos());
        Cluster.await(
                "both sides are usable", () -> to.state(nodeMap.ownNodeId()).isUsable());
    }

    /** One duty cycle of each agent, on the calling thread. */
    int cycle() {
        int work = 0;
        for (Agent agent : transport.agents()) {
            work += ((IbAgent) agent).doWork();
        }
        return work;
    }

    /** Returns when the control channels' thread has done all that was posted before. */
    void awaitControlChannels() {
        FakeConnection last = new FakeConnection(0, null);
        transport.sides.destroyLater(new IbConnection(null, last, 1, null, null, null));
        Cluster.await("the control channels' thread", () -> last.released);
    }

    @Override
    public DXNetConfig config() {
        return config;
    }

    @Override
    public NodeMap nodeMap() {
        return nodeMap;
    }

    @Override
    public long incarnation() {
        return 1000L + nodeMap.ownNodeId();
    }

    @Override
    public void refused(String cause, String from) {}

    @Override
    public NodeSecurity security() {
        return security;
    }

    @Override
    public AgentThreads agentThreads() {
        return AgentThreads.ONE_EACH;
    }

    @Override
    public IncomingBufferPool pool() {
        onTake.run();
        return pool;
    }

    @Override
    public boolean offer(Connection connection, IncomingBuffer buffer) {
        onData.accept(buffer);
        buffer.giveBack();
        return true;
    }

    @Override
    public Connection incoming(int nodeId, long incarnation, Connection expected) {
        return expected != null ? expected : connection(nodeId);
    }

    @Override
    public void incomingFailed(Connection connection) {
        incomingFailed.incrementAndGet();
    }

    @Override
    public void incomingReady(Connection connection, Directions ready) {
        onReady.accept(connection);
    }

    @Override
    public void connectionLost(Connection connection, String detail) {
        lost.add(detail);
        onLost.accept(connection);
        ((FakeConnection) connection).open = false;
        connections.remove(connection.nodeId(), connection);
        transport.close(connection, Transport.Close.AT_ONCE);
    }

    @Override
    public void error(String what, Throwable error) {
        if (errorCount.incrementAndGet() <= ERRORS_MAX) {
            errors.add(what + ": " + error);
        }
    }

    @Override
    public void close() {
        ending.addAll(connections.values());
        for (FakeConnection connection : ending) {
            if (connection.attachment() != null) {
                transport.close(connection, Transport.Close.AT_ONCE);
            }
        }
        transport.close();
        transport.free();
        pool.close();
        arena.close();
    }
}
