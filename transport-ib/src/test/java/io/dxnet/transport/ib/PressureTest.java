package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Queues, rings and pools that are too small for what is sent: everything
 * arrives, in order, in bounded memory.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class PressureTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static void assertGood(Cluster cluster) {
        cluster.awaitQuiet();
        assertThat(cluster.failures).isEmpty();
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
    }

    @Test
    void shouldCarryAllSizesThroughTheSmallestQueues() throws Exception {
        try (Cluster cluster =
                IbNodes.cluster(2, builder -> IbNodes.tiny(builder).maxMessageBytes(16 << 20))) {
            Receiver receiver = Receiver.on(cluster.node(1));
            DXNet net = cluster.node(0);
            int sequence = 0;
            for (int bytes = 1; bytes <= 8 << 20; bytes *= 2) {
                for (int size : new int[] {bytes - 1, bytes, bytes + 1}) {
                    net.sendMessage(new Data(1, 0, sequence++, size));
                }
            }
            receiver.awaitCount(0, 0, sequence);
            assertThat(net.sendSync(new Ping(1, "large", 8 << 20), LIMIT).payload)
                    .hasSize(8 << 20);
            assertGood(cluster);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "FUSED, 1, false, false",
        "FUSED, 4, false, false",
        "FUSED, 4, true, false",
        "FUSED, 4, true, true",
        "DEDICATED, 1, false, false",
        "DEDICATED, 4, false, false",
        "DEDICATED, 4, true, false",
        "DEDICATED, 4, false, true",
        "DEDICATED, 4, true, true"
    })
    void shouldServeManyNodesHoweverEndpointsShare(
            ThreadingLayout layout, int endpoints, boolean shared, boolean domains) throws Exception {
        try (Cluster cluster = IbNodes.cluster(
                4,
                builder -> IbNodes.tiny(builder)
                        .threadingLayout(layout)
                        .transportOption("ib.sendEndpoints", "" + endpoints)
                        .transportOption("ib.shareSendCompletions", "" + shared)
                        .transportOption("ib.threadDomains", "" + domains))) {
            allToAll(cluster, 600, 1500);
            if (domains) {
                assertThat(cluster.node(0).describe()).contains("with thread domains");
            }
            assertGood(cluster);
        }
    }

    private static void allToAll(Cluster cluster, int count, int bytesMax) throws Exception {
        List<Receiver> receivers = new ArrayList<>();
        for (int i = 0; i < cluster.size(); i++) {
            receivers.add(Receiver.on(cluster.node(i)));
        }
        Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int n = 0; n < cluster.size(); n++) {
            DXNet net = cluster.node(n);
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        for (int to = 0; to < cluster.size(); to++) {
                            if (to != net.nodeId()) {
                                net.sendMessage(new Data(to, 0, i, i * 37 % bytesMax));
                            }
                        }
                    }
                } catch (Exception | AssertionError e) {
                    wrong.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong).isEmpty();
        for (int to = 0; to < cluster.size(); to++) {
            for (int from = 0; from < cluster.size(); from++) {
                if (from != to) {
                    receivers.get(to).awaitCount(from, 0, count);
                }
            }
        }
    }

    /**
     * The receiver's callback stands still: the sender fills the window, and
     * continues when the callback does.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1024, 4096})
    void shouldHoldTheSenderUpWhileTheReceiverStandsStill(int copyBytesMax) throws Exception {
        int window = 256 << 10;
        try (Cluster cluster = IbNodes.cluster(
                3,
                builder -> IbNodes.tiny(builder)
                        .flowControlWindowBytes(window)
                        .ringBytes(64 << 10)
                        .incomingQueueBuffers(16)
                        .incomingQueueBytes(64 << 10)
                        .incomingBytesMax(4 << 20)
                        .transportOption("ib.copyBytesMax", "" + copyBytesMax))) {
            Receiver receiver = Receiver.on(cluster.node(0));
            CountDownLatch go = new CountDownLatch(1);
            receiver.delay(() -> go.await(60, TimeUnit.SECONDS));
            List<Thread> threads = new ArrayList<>();
            Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
            int count = 1500;
            for (int n = 1; n < 3; n++) {
                DXNet net = cluster.node(n);
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int i = 0; i < count; i++) {
                            net.sendMessage(new Data(0, 0, i, 50 + i * 13 % 3000));
                        }
                    } catch (Exception | AssertionError e) {
                        wrong.add(e);
                    }
                }));
            }
            for (int n = 1; n < 3; n++) {
                DXNet net = cluster.node(n);
                Cluster.await("the window is full", () -> net.statistics().sendsBlocked() > 0);
                net.statistics()
                        .connections()
                        .forEach(c -> assertThat(c.bytesUnconfirmed()).isLessThanOrEqualTo(window + (8 << 10)));
            }
            assertThat(cluster.node(0).statistics().buffersInUse())
                    .as("the pool's, and a few copies")
                    .isLessThan(200);
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).isEmpty();
            receiver.awaitCount(1, 0, count);
            receiver.awaitCount(2, 0, count);
            assertGood(cluster);
        }
    }

    /**
     * Messages that are copied together may be larger than the buffers
     * that they are mostly copied into.
     */
    @Test
    void shouldCopyMessagesThatAreLargerThanASmallBuffer() throws Exception {
        try (Cluster cluster = IbNodes.cluster(2, builder -> {
            DXNetConfig.Builder result = IbNodes.configure(builder)
                    .smallBuffers(4)
                    .mediumBuffers(1)
                    .largeBuffers(1)
                    .incomingBytesMax(2 << 20)
                    .transportOption("ib.receiveBufferBytes", "1M")
                    .transportOption("ib.receiveSges", "1")
                    .transportOption("ib.sharedReceiveRequests", "16")
                    .transportOption("ib.copyBytesMax", "1M");
            return result;
        })) {
            Receiver receiver = Receiver.on(cluster.node(1));
            for (int i = 0; i < 200; i++) {
                cluster.node(0).sendMessage(new Data(1, 0, i, i * 2500));
            }
            receiver.awaitCount(0, 0, 200);
            assertGood(cluster);
        }
    }
}
