package io.dxnet.contract;

import io.dxnet.ConnectionListener;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.MessageTypeOption;
import io.dxnet.NodeMap;
import io.dxnet.Rejection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Some nodes in this process. */
public final class Cluster implements AutoCloseable {
    /** The bounds of waits are this many times as long: for machines that are emulated. */
    private static final int PATIENCE_FACTOR = Integer.getInteger("dxnet.test.patienceFactor", 1);

    public static final Duration PATIENCE = seconds(60);

    /** What happened to a connection. */
    public record Event(int node, int peer, Disconnect cause) {}

    /** What the error handler got. */
    public record Failure(int node, String what, Throwable error) {}

    private final List<DXNet> nodes = new ArrayList<>();
    public final Queue<Event> events = new ConcurrentLinkedQueue<>();
    /** What other nodes rejected, by the node that was informed. */
    final Map<Integer, Queue<Rejection>> rejections = new ConcurrentHashMap<>();

    public final Queue<Failure> failures = new ConcurrentLinkedQueue<>();
    private final UnaryOperator<DXNetConfig.Builder> settings;
    private final List<NodeMap> maps;

    public Cluster(List<NodeMap> maps, UnaryOperator<DXNetConfig.Builder> settings) {
        this.maps = maps;
        this.settings = settings;
        for (int i = 0; i < maps.size(); i++) {
            nodes.add(null);
            start(i);
        }
    }

    /**
     * Starts a node, the first or another time. It accepts messages some milliseconds after the
     * last registration: for a test that is not sending to it meanwhile.
     */
    public DXNet start(int node) {
        DXNet net = new DXNet(config(node), maps.get(node));
        register(node, net);
        nodes.set(node, net);
        return net;
    }

    /**
     * The same, for a node that threads are waiting to use, or that others send to.
     *
     * @param register what is registered besides, before the node listens
     */
    DXNet start(int node, Consumer<DXNet> register) {
        DXNet net = DXNet.builder(maps.get(node))
                .config(config(node))
                .registering(created -> register(node, created))
                .registering(register)
                .start();
        nodes.set(node, net);
        return net;
    }

    private DXNetConfig config(int node) {
        return settings.apply(DXNetConfig.builder()
                        .errorHandler((what, error) -> failures.add(new Failure(node, what, error))))
                .build();
    }

    private void register(int node, DXNet net) {
        net.registerMessageType(
                TestMessages.TYPE, TestMessages.DATA, TestMessages.Data::new, MessageTypeOption.EXCLUSIVE);
        net.registerMessageType(TestMessages.TYPE, TestMessages.PING, TestMessages.Ping::new);
        net.registerMessageType(TestMessages.TYPE, TestMessages.PONG, TestMessages.Pong::new);
        net.registerMessageType(TestMessages.TYPE, TestMessages.RUDE, TestMessages.Rude::new);
        net.register(
                TestMessages.TYPE,
                TestMessages.PING,
                (TestMessages.Ping ping) -> net.sendMessage(new TestMessages.Pong(ping)));
        net.addConnectionListener(new ConnectionListener() {
            @Override
            public void connected(int peer) {
                events.add(new Event(node, peer, null));
            }

            @Override
            public void disconnected(int peer, Disconnect cause) {
                events.add(new Event(node, peer, cause));
            }

            @Override
            public void rejected(Rejection rejection) {
                rejections
                        .computeIfAbsent(node, each -> new ConcurrentLinkedQueue<>())
                        .add(rejection);
            }
        });
    }

    /** A bound for something that must happen, not a time to wait. */
    public static Duration seconds(int seconds) {
        return patience(Duration.ofSeconds(seconds));
    }

    /** {@return a time, as many times as long as this machine needs} */
    static Duration patience(Duration time) {
        return time.multipliedBy(PATIENCE_FACTOR);
    }

    /** Node maps with free ports of the loopback interface. */
    public static List<NodeMap> localMaps(int nodes) {
        return maps(nodes, List.of("127.0.0.1"));
    }

    /**
     * Node maps with free ports of this machine's addresses.
     *
     * @param hosts given to the nodes in turn
     */
    public static List<NodeMap> maps(int nodes, List<String> hosts) {
        List<ServerSocket> sockets = new ArrayList<>();
        List<NodeMap> maps = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getByName(hosts.get(i % hosts.size()))));
                maps.add(new NodeMap(i));
            }
            for (NodeMap map : maps) {
                for (int i = 0; i < nodes; i++) {
                    map.put(
                            i,
                            hosts.get(i % hosts.size()) + ":" + sockets.get(i).getLocalPort());
                }
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return maps;
    }

    /** Messages of a node that others rejected, so far. */
    long rejected(int node) {
        return rejections.getOrDefault(node, new ConcurrentLinkedQueue<>()).stream()
                .mapToLong(Rejection::count)
                .sum();
    }

    /** What a node's error handler got. */
    List<Failure> failures(int node) {
        return failures.stream().filter(failure -> failure.node() == node).toList();
    }

    public DXNet node(int i) {
        return nodes.get(i);
    }

    public int size() {
        return nodes.size();
    }

    /** The end of the connection from one node to another, when it happened. */
    public Disconnect end(int node, int peer) {
        return events.stream()
                .filter(event -> event.node() == node && event.peer() == peer && event.cause() != null)
                .map(Event::cause)
                .findFirst()
                .orElse(null);
    }

    /**
     * Waits for a state that must come; the bound is there to end a failing test, not to be met.
     */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("did not happen within " + PATIENCE + ": " + what);
            }
            LockSupport.parkNanos(200_000);
        }
    }

    /** Every received buffer is back and nothing is outstanding. */
    public void awaitQuiet() {
        for (DXNet net : nodes) {
            await("buffers back in the pool of node " + net.nodeId() + ": " + net.statistics(), () -> {
                var statistics = net.statistics();
                return statistics.buffersInUse() == 0
                        && statistics.incomingQueueBytes() == 0
                        && statistics.requestsOutstanding() == 0;
            });
        }
    }

    @Override
    public void close() {
        List<Thread> closers = new ArrayList<>();
        for (DXNet net : nodes) {
            closers.add(Thread.ofPlatform().start(net::close));
        }
        for (Thread closer : closers) {
            try {
                closer.join(PATIENCE);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }
}
