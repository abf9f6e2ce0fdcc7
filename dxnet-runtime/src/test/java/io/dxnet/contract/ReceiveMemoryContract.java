package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Statistics;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.TestMessages.Data;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Receive memory that runs out: no connection keeps it from the others for good,
 * on every transport.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
public abstract class ReceiveMemoryContract extends TransportContract {
    private static final int MIB = 1 << 20;

    /** For the transports' test classes. */
    protected ReceiveMemoryContract() {}

    /**
     * Makes the memory small that the transport itself has for receiving.
     *
     * @param builder a builder
     * @return the same
     */
    protected DXNetConfig.Builder littleMemory(DXNetConfig.Builder builder) {
        return builder;
    }

    /** Bytes of a node that another one's engine accepted. */
    protected static long received(DXNet net, int from) {
        return net.statistics().connections().stream()
                .filter(c -> c.nodeId() == from)
                .mapToLong(Statistics.OfConnection::bytesReceived)
                .sum();
    }

    /** Waits until so many bytes were accepted. */
    protected static void awaitReceived(DXNet net, int from, long bytes) {
        Cluster.await(bytes + " bytes from node " + from, () -> received(net, from) >= bytes);
    }

    /** Sends on a thread of its own, and keeps its failures. */
    private static final class DataSender {
        private final Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
        private final Thread thread;

        DataSender(DXNet from, int to, int count, int bytes) {
            thread = Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (int i = 0; i < count; i++) {
                        from.sendMessage(new Data(to, 0, i, bytes));
                    }
                } catch (DXNetException | RuntimeException | AssertionError e) {
                    wrong.add(e);
                }
            });
        }

        /**
         * Waits for its end.
         *
         * @param cluster its events are the reason where a connection ended
         */
        void join(Cluster cluster) throws InterruptedException {
            thread.join();
            assertThat(wrong).as(() -> "events: " + cluster.events).isEmpty();
        }
    }

    /**
     * Three senders at once, whose messages are each half as large as the memory:
     * one after the other becomes whole.
     */
    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldCompleteLargeMessagesOfManySendersInLittleMemory(ThreadingLayout layout) throws Exception {
        int count = 5;
        Cluster cluster = cluster(
                4,
                builder -> littleMemory(builder.threadingLayout(layout))
                        .incomingBytesMax(8 * MIB)
                        .ringBytes(256 << 10)
                        .sendTimeoutMs(60_000));
        Receiver receiver = Receiver.on(cluster.node(0));
        List<DataSender> senders = new ArrayList<>();
        for (int n = 1; n <= 3; n++) {
            senders.add(new DataSender(cluster.node(n), 0, count, 4 * MIB));
        }
        for (DataSender sender : senders) {
            sender.join(cluster);
        }
        for (int n = 1; n <= 3; n++) {
            receiver.awaitCount(n, 0, count);
        }
        assertThat(cluster.events).allMatch(event -> event.cause() == null);
        cluster.awaitQuiet();
    }

    /**
     * The handler stands still, and one node sends all that its window admits:
     * the queue still accepts another one's bytes.
     */
    @Test
    void shouldLeaveAPartOfTheQueueForOthersWhenOneNodeFloods() throws Exception {
        int queueBytes = 2 * MIB; // half of it and the largest buffer are three quarters at most
        Cluster cluster = cluster(
                3,
                builder -> builder.threadingLayout(ThreadingLayout.DEDICATED)
                        .handlers(1)
                        .headerStoreEntries(16)
                        .incomingQueueBytes(queueBytes)
                        .flowControlWindowBytes(8 * MIB)
                        .sendTimeoutMs(120_000));
        DXNet net = cluster.node(0);
        Receiver receiver = Receiver.on(net);
        CountDownLatch go = new CountDownLatch(1);
        receiver.delay(() -> go.await(120, TimeUnit.SECONDS));
        int flood = 2000;
        DataSender flooder = new DataSender(cluster.node(2), 0, flood, 8000);
        Cluster.await(
                "the flooding sender blocked",
                () -> cluster.node(2).statistics().sendsBlocked() > 0);
        awaitStill(net, 2);
        assertThat(net.statistics().incomingQueueBytes()).isBetween(queueBytes / 4L, queueBytes * 3L / 4);
        for (int i = 0; i < 3; i++) {
            cluster.node(1).sendMessage(new Data(0, 0, i, 10_000));
        }
        awaitReceived(net, 1, 30_000); // before the handler continues
        go.countDown();
        flooder.join(cluster);
        receiver.awaitCount(2, 0, flood);
        receiver.awaitCount(1, 0, 3);
        cluster.awaitQuiet();
    }

    /**
     * Until nothing is accepted any more; only how much there is to see depends on its patience.
     */
    private static void awaitStill(DXNet net, int from) {
        long[] seen = {-1, 0}; // bytes, since when
        Cluster.await("node " + from + " held up", () -> {
            long bytes = received(net, from);
            if (bytes != seen[0] || bytes == 0) {
                seen[0] = bytes;
                seen[1] = System.nanoTime();
            }
            return System.nanoTime() - seen[1] > TimeUnit.MILLISECONDS.toNanos(500);
        });
    }
}
