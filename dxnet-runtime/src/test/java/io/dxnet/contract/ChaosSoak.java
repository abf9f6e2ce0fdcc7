package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NetClosedException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All nodes send to all nodes while connections are ended or dismissed for others, and nodes are
 * closed and started again, all at random. Nothing may arrive twice, changed or out of order;
 * nothing may be missing unless its sender got a report of that; nothing may hang, leak or die.
 *
 * <p>{@code -Ddxnet.soak.seconds=600} lets it run longer, {@code -Ddxnet.soak.seed=...}
 * repeats its choices, though not what the threads make of them.
 */
@Tag("soak")
// Each step has its own bound; this is for the unthinkable.
@Timeout(value = 2, unit = TimeUnit.HOURS)
public abstract class ChaosSoak {
    private static final int SECONDS = Integer.getInteger("dxnet.soak.seconds", 20);
    private static final long SEED = Long.getLong("dxnet.soak.seed", System.nanoTime());
    private static final int NODES = 4;
    private static final int THREADS = 3;
    /** Nothing needs that long unless it hangs. */
    private static final Duration LIMIT = Duration.ofSeconds(40);

    private final AtomicInteger started = new AtomicInteger();
    private final AtomicIntegerArray sent = new AtomicIntegerArray(NODES * NODES * THREADS);
    private final AtomicIntegerArray received = new AtomicIntegerArray(NODES * NODES * THREADS);
    private final AtomicIntegerArray last = new AtomicIntegerArray(NODES * NODES * THREADS);
    // 0: no loss was reported.
    private final AtomicIntegerArray untold = new AtomicIntegerArray(NODES * NODES);
    private final AtomicLong requests = new AtomicLong();
    private final AtomicInteger restarts = new AtomicInteger();
    private final AtomicInteger disconnects = new AtomicInteger();
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private Cluster cluster;
    private volatile boolean stopped;

    private DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        boolean fused = started.getAndIncrement() % 2 == 0;
        return settings(builder)
                .threadingLayout(fused ? ThreadingLayout.FUSED : ThreadingLayout.DEDICATED)
                .handlers(fused ? 1 : 2)
                .maxConnections(2)
                .ringBytes(64 << 10)
                .flowControlWindowBytes(256 << 10)
                .smallBuffers(16)
                .mediumBuffers(4)
                .largeBuffers(2)
                .connectTimeoutMs((int) LIMIT.toMillis())
                .sendTimeoutMs((int) LIMIT.toMillis())
                .closeTimeoutMs((int) LIMIT.toMillis());
    }

    /** The transport, and what it needs. */
    protected abstract DXNetConfig.Builder settings(DXNetConfig.Builder builder);

    /** Disturbs what is outside of the nodes, at random, between the ends of connections. */
    protected void disturb(Random random) {}

    private static int stream(int from, int to, int thread) {
        return (from * NODES + to) * THREADS + thread;
    }

    private void receive(int node, Data data) {
        int stream = stream(data.source(), node, data.thread);
        int before = last.getAndSet(stream, data.sequence);
        if (data.sequence <= before) {
            wrong.add("from " + data.source() + " to " + node + ": " + data.sequence + " came after " + before);
        }
        if (!data.isIntact()) {
            wrong.add("from " + data.source() + " to " + node + ": " + data.sequence + " is not intact");
        }
        received.incrementAndGet(stream);
    }

    private void start(int node) {
        cluster.start(
                node, net -> net.register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> receive(node, data)));
    }

    // ---------------------------------------------------------------- traffic

    private void traffic(int node, int thread, Random random) {
        while (!stopped) {
            DXNet net = cluster.node(node);
            int to = other(node, random);
            try {
                if (random.nextInt(10) < 8) {
                    data(net, to, thread, random);
                } else {
                    request(net, to, random);
                }
            } catch (NetClosedException | NodeUnreachableException e) {
                // A node is being restarted: a message that was not accepted is not lost.
                Thread.yield();
            } catch (ConnectionLostException e) {
                untold.incrementAndGet(node * NODES + to);
            } catch (Exception | AssertionError e) {
                wrong.add("node " + node + " to " + to + ": " + e);
            }
        }
    }

    private static int other(int node, Random random) {
        return (node + 1 + random.nextInt(NODES - 1)) % NODES;
    }

    private static int size(Random random) {
        return switch (random.nextInt(20)) {
            case 0 -> random.nextInt(1 << 20);
            case 1, 2 -> random.nextInt(100_000);
            default -> random.nextInt(300);
        };
    }

    private void data(DXNet net, int to, int thread, Random random) throws Exception {
        int stream = stream(net.nodeId(), to, thread);
        int bytes = size(random);
        int messages = bytes > 1000 ? 1 : 1 + random.nextInt(50);
        for (int i = 0; i < messages; i++) {
            int sequence = last(stream) + 1;
            next[stream] = sequence;
            net.sendMessage(new Data(to, thread, sequence, bytes));
            sent.incrementAndGet(stream);
        }
    }

    // Each element by its sending thread.
    private final int[] next = new int[NODES * NODES * THREADS];

    private int last(int stream) {
        return next[stream];
    }

    private void request(DXNet net, int to, Random random) throws Exception {
        int bytes = size(random);
        String text = "?" + random.nextInt();
        Pong pong;
        if (random.nextBoolean()) {
            pong = net.sendSync(new Ping(to, text, bytes), LIMIT);
        } else {
            CompletableFuture<Pong> future = net.sendAsync(new Ping(to, text, bytes), LIMIT);
            try {
                pong = future.get(2 * LIMIT.toSeconds(), TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
        if (!pong.text.equals(text) || pong.payload.length != bytes) {
            wrong.add("node " + to + " gave a wrong answer");
        }
        requests.incrementAndGet();
    }

    // ---------------------------------------------------------------- chaos

    private void chaos(Random random) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (System.nanoTime() - endNs < 0 && wrong.isEmpty()) {
            Thread.sleep(random.nextInt(30));
            int node = random.nextInt(NODES);
            disturb(random);
            if (random.nextInt(40) == 0) {
                restart(node);
            } else {
                cluster.node(node).disconnectNode(other(node, random));
                disconnects.incrementAndGet();
            }
        }
        stopped = true;
    }

    private void restart(int node) {
        long startNs = System.nanoTime();
        CompletableFuture<String> stacks = new CompletableFuture<>();
        stacks.completeAsync(
                ChaosSoak::stacks, CompletableFuture.delayedExecutor(LIMIT.toMillis() / 4, TimeUnit.MILLISECONDS));
        cluster.node(node).close();
        if (System.nanoTime() - startNs > LIMIT.toNanos() / 2) {
            wrong.add("closing node " + node + " took "
                    + Duration.ofNanos(System.nanoTime() - startNs).toMillis() + " ms; after a quarter of "
                    + LIMIT.toSeconds() + " s:\n" + stacks.join());
        }
        stacks.complete("");
        start(node);
        restarts.incrementAndGet();
    }

    private static String stacks() {
        StringBuilder all = new StringBuilder();
        Thread.getAllStackTraces().forEach((thread, stack) -> {
            all.append(thread).append('\n');
            for (StackTraceElement element : stack) {
                all.append("    ").append(element).append('\n');
            }
        });
        return all.toString();
    }

    @Test
    public void shouldSurviveChaos() throws Exception {
        List<String> addresses = Ports.addresses(NODES);
        List<NodeMap> maps = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            maps.add(Ports.map(i, addresses));
        }
        for (int i = 0; i < last.length(); i++) {
            last.set(i, 0);
        }
        cluster = new Cluster(maps, this::configure);
        for (int i = 0; i < NODES; i++) {
            int node = i;
            cluster.node(i).register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> receive(node, data));
        }
        Random random = new Random(SEED);
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < NODES; n++) {
            for (int t = 0; t < THREADS; t++) {
                int node = n;
                int thread = t;
                Random own = new Random(random.nextLong());
                threads.add(Thread.ofPlatform()
                        .daemon()
                        .name("traffic-" + n + "-" + t)
                        .start(() -> traffic(node, thread, own)));
            }
        }
        try {
            chaos(random);
            for (Thread thread : threads) {
                thread.join(Duration.ofSeconds(3 * LIMIT.toSeconds()));
                assertThat(thread.isAlive())
                        .as("%s hangs\n%s", thread, stacks())
                        .isFalse();
            }
            assertNothingWrong();
        } finally {
            stopped = true;
            cluster.close();
        }
    }

    private void assertNothingWrong() {
        String what = "seed " + SEED + ", " + restarts + " restarts, " + disconnects + " disconnects, " + requests
                + " requests";
        assertThat(wrong).as(what).isEmpty();
        cluster.awaitQuiet();
        assertThat(cluster.failures).as(what).allMatch(failure -> isExpected(failure.error()));
        for (int i = 0; i < NODES; i++) {
            NodeThreads.of(cluster.node(i)).assertAlive();
        }
        long all = 0;
        for (int from = 0; from < NODES; from++) {
            for (int to = 0; to < NODES; to++) {
                all += assertDelivered(from, to, what);
            }
        }
        System.out.println("chaos: " + what + ", " + all + " messages");
    }

    /** What a callback meets when it answers a node that has ended. */
    private static boolean isExpected(Throwable error) {
        return error instanceof ConnectionLostException
                || error instanceof NodeUnreachableException
                || error instanceof NetClosedException;
    }

    private long assertDelivered(int from, int to, String what) {
        boolean told = untold.get(from * NODES + to) > 0
                || cluster.events.stream()
                        .anyMatch(event -> event.node() == from && event.peer() == to && mayHaveLost(event.cause()));
        long all = 0;
        for (int thread = 0; thread < THREADS; thread++) {
            int stream = stream(from, to, thread);
            if (!told) {
                Cluster.await(
                        "all from " + from + " to " + to + ": " + received.get(stream) + " of " + sent.get(stream)
                                + ", " + what,
                        () -> received.get(stream) == sent.get(stream));
            }
            all += received.get(stream);
        }
        return all;
    }

    private static boolean mayHaveLost(Disconnect cause) {
        return cause != null && cause.unconfirmedBytes() > 0;
    }
}
