package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.transport.Agent;
import io.dxnet.transport.Connection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.RefusedException;
import io.dxnet.transport.Transport;
import io.dxnet.transport.TransportContext;
import io.dxnet.transport.security.NodeSecurity;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** A small engine around a transport: one thread for its agent, one connection to each node. */
final class FakeNode implements TransportContext, AutoCloseable {
    /** Long: a lost wake-up shall not be healed by a time-out. */
    private static final long AWAIT_NS = TimeUnit.SECONDS.toNanos(20);

    private static final AtomicLong INCARNATIONS = new AtomicLong(1000);

    private final DXNetConfig config;
    private final NodeMap nodes;
    private final long incarnation = INCARNATIONS.incrementAndGet();
    private final IncomingBufferPool pool;
    private final Map<Integer, FakeConnection> connections = new ConcurrentHashMap<>();
    private final Transport transport;
    private final Thread thread;
    private volatile boolean stopping;
    private volatile boolean stopped;
    final List<String> errors = new CopyOnWriteArrayList<>();
    /** What {@link #incoming} answers; null: welcome. */
    volatile String refuse;
    /** How many of the refusals are temporary. */
    final AtomicInteger refusals = new AtomicInteger();
    /** Whether the queue is full for a connection's data. */
    volatile Predicate<FakeConnection> queueFull = connection -> false;
    /** Whether a lost connection is closed at once, as the engine does. */
    volatile boolean closeLost = true;

    static DXNetConfig.Builder builder() {
        return DXNetConfig.builder().transport("nio").ringBytes(1 << 16);
    }

    static FakeNode start(int nodeId) {
        return start(nodeId, builder().build());
    }

    static FakeNode start(int nodeId, DXNetConfig config) {
        return start(nodeId, config, "127.0.0.1");
    }

    static FakeNode start(DXNetConfig config, NodeMap nodes) {
        FakeNode node = new FakeNode(config, nodes);
        boolean started = false;
        try {
            node.transport.start();
            node.thread.start();
            started = true;
        } finally {
            if (!started) {
                node.transport.close();
                node.pool.close();
            }
        }
        return node;
    }

    static FakeNode start(int nodeId, DXNetConfig config, String host) {
        try {
            return start(
                    config, new NodeMap(nodeId).put(nodeId, new InetSocketAddress(InetAddress.getByName(host), 0)));
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    FakeNode(DXNetConfig config, NodeMap nodes) {
        this.config = config;
        this.nodes = nodes;
        this.pool = new IncomingBufferPool(config);
        this.transport = new NioTransportProvider().create(this);
        this.thread = new Thread(this::run, "fake-" + nodes.ownNodeId());
        thread.setDaemon(true);
    }

    private void run() {
        Agent agent = transport.agents().get(0);
        while (!stopping) {
            try {
                if (agent.doWork() == 0) {
                    agent.await(AWAIT_NS);
                }
            } catch (Exception | Error e) {
                errors.add(e.toString());
                e.printStackTrace();
            }
        }
    }

    int nodeId() {
        return nodes.ownNodeId();
    }

    InetSocketAddress address() {
        return nodes.address(nodeId());
    }

    Transport transport() {
        return transport;
    }

    @Override
    public DXNetConfig config() {
        return config;
    }

    @Override
    public void refused(String cause, String from) {}

    @Override
    public NodeSecurity security() {
        return NodeSecurity.of(config());
    }

    @Override
    public AgentThreads agentThreads() {
        return AgentThreads.ONE_FOR_ALL; // one thread, one agent
    }

    /** By the agent's thread. */
    long allocatedBytes() throws Exception {
        return NioAllocationTest.allocatedBytes(thread);
    }

    FakeConnection connection(int nodeId) {
        return connections.get(nodeId);
    }

    FakeConnection connect(FakeNode other) throws DXNetException {
        return connect(other.nodeId(), other.address());
    }

    FakeConnection connect(int nodeId, InetSocketAddress address) throws DXNetException {
        FakeConnection connection = connections.computeIfAbsent(nodeId, id -> FakeConnection.create(this, id));
        transport.connect(connection, address, System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
        return connection;
    }

    void dispose(FakeConnection connection, Transport.Close close) {
        connections.remove(connection.nodeId(), connection);
        transport.close(connection, close);
    }

    /** Stops agent and transport without a report: as in a killed process. */
    void kill() {
        close();
    }

    @Override
    public void close() {
        if (stopped) {
            return;
        }
        stopped = true;
        stopping = true;
        transport.agents().get(0).wakeup();
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(thread.isAlive()).as("the agent's thread ends").isFalse();
        transport.close();
        assertThat(pool.inUse()).as("buffers not given back").isZero();
        pool.close();
        assertThat(errors).isEmpty();
    }

    // ---------------------------------------------------------------- TransportContext

    @Override
    public NodeMap nodeMap() {
        return nodes;
    }

    @Override
    public long incarnation() {
        return incarnation;
    }

    @Override
    public IncomingBufferPool pool() {
        return pool;
    }

    @Override
    public boolean offer(Connection connection, IncomingBuffer buffer) {
        if (queueFull.test((FakeConnection) connection)) {
            return false;
        }
        ((FakeConnection) connection).receive(buffer);
        return true;
    }

    @Override
    public Connection incoming(int nodeId, long peerIncarnation, Connection expected) throws RefusedException {
        String reason = refuse;
        if (reason != null) {
            throw refusals.getAndDecrement() > 0 ? RefusedException.temporary(reason) : new RefusedException(reason);
        }
        if (expected != null) {
            return expected;
        }
        return connections.computeIfAbsent(nodeId, id -> FakeConnection.create(this, id));
    }

    @Override
    public void incomingReady(Connection connection, Directions ready) {
        ((FakeConnection) connection).ready.countDown();
    }

    @Override
    public void connectionLost(Connection connection, String detail) {
        FakeConnection c = (FakeConnection) connection;
        c.lostDetail = detail;
        c.lostCount.incrementAndGet();
        connections.remove(c.nodeId(), c);
        c.lost.countDown();
        if (closeLost) {
            transport.close(c, Transport.Close.AT_ONCE);
        }
    }

    @Override
    public void error(String what, Throwable error) {
        errors.add(what + ": " + error);
        error.printStackTrace();
    }
}
