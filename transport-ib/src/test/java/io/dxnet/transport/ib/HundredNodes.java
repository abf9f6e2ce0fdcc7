package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.Cluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many nodes in this process connect all-to-all, all connections asked for at once: {@code
 * transport-ib/test soft0 -c io.dxnet.transport.ib.HundredNodes} prints the time for 100,
 * {@code -Ddxnet.nodes=N} for others, in a JVM that has just started and once more. Not part of the
 * build; {@link ManyNodesTest} does it with fewer.
 */
@Tag("bench")
class HundredNodes {
    private static DXNetConfig.Builder configure(DXNetConfig.Builder builder, int nodes) {
        return IbNodes.tiny(builder)
                .threadingLayout(ThreadingLayout.FUSED)
                .handlers(1)
                .maxConnections(nodes)
                .ringBytes(4096)
                .commitSlots(16)
                .requestMapEntries(16)
                .incomingQueueBuffers(16)
                .smallBuffers(1)
                .mediumBuffers(1)
                .connectTimeoutMs(60_000)
                .transportOption("ib.handshakesMax", "" + 4 * nodes)
                .transportOption("ib.handshakesPerAddress", "" + 4 * nodes)
                .transportOption("ib.backlog", "" + 4 * nodes)
                .transportOption("ib.handshakeTimeoutMs", "60000")
                .transportOption("ib.keepAliveMs", "60000");
    }

    /** Connects all of them; returns how long that took, milliseconds. */
    static long connectAll(int nodes) throws InterruptedException {
        try (Cluster cluster = IbNodes.cluster(nodes, builder -> configure(builder, nodes))) {
            Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < nodes; i++) {
                DXNet net = cluster.node(i);
                for (int t = 0; t < 4; t++) { // each asks for a quarter of them, from another beginning
                    int first = t;
                    threads.add(Thread.ofPlatform().start(() -> {
                        try {
                            go.await();
                            for (int k = first; k < nodes - 1; k += 4) {
                                net.connectNode((net.nodeId() + 1 + k) % nodes);
                            }
                        } catch (Exception | AssertionError e) {
                            wrong.add(e);
                        }
                    }));
                }
            }
            long startNs = System.nanoTime();
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            assertThat(wrong).isEmpty();
            for (int i = 0; i < nodes; i++) {
                DXNet net = cluster.node(i);
                assertThat(net.statistics().connections()).as("of node %d", i).hasSize(nodes - 1);
                assertThat(net.statistics().connectionsOpened()).isEqualTo(nodes - 1);
            }
            assertThat(cluster.failures).isEmpty();
            assertThat(cluster.events).allMatch(event -> event.cause() == null);
            System.out.println(
                    nodes + " nodes, " + nodes * (nodes - 1) + " connections asked for at once: " + ms + " ms");
            return ms;
        }
    }

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void shouldConnectAllToAll() throws Exception {
        int nodes = Integer.getInteger("dxnet.nodes", 100);
        connectAll(nodes); // a third of this time is the JIT's
        connectAll(nodes);
    }
}
