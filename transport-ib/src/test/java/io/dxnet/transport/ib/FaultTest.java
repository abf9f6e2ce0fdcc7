package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.NodeThreads;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import io.dxnet.softhca.SoftFaults;
import io.dxnet.softhca.SoftHca;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Faults of the device, while a verified stream runs beside. Node 0 and 1 are on a device of
 * their own, and node 2 is on the one that fails: it loses its connections, or not, and the
 * stream from 1 to 0 notices nothing.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class FaultTest {
    private static final String DEVICE = "soft1";
    private static final int ENOMEM = 12;
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final SoftFaults faults = SoftFaults.of(DEVICE);
    private Cluster cluster;
    private Receiver receiver;
    private NodeThreads threads;
    private int started;

    private DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return IbNodes.tiny(builder)
                .transportOption("ib.device", started++ < 2 ? "soft0" : DEVICE)
                .transportOption("ib.ackTimeout", "12")
                .transportOption("ib.retryCount", "3");
    }

    @BeforeEach
    void start() throws Exception {
        IbNodes.assumeSoftware();
        faults.clear();
        cluster = IbNodes.cluster(3, this::configure);
        receiver = Receiver.on(cluster.node(0));
        Receiver.on(cluster.node(2));
        threads = NodeThreads.of(cluster.node(0), cluster.node(1), cluster.node(2));
        assertReachable();
    }

    @AfterEach
    void stop() {
        if (cluster != null) {
            faults.clear();
            cluster.close();
        }
    }

    private void assertReachable() throws DXNetException {
        assertThat(cluster.node(2).sendSync(new Ping(0, "to", 3000), LIMIT).payload)
                .hasSize(3000);
        assertThat(cluster.node(0).sendSync(new Ping(2, "from", 3000), LIMIT).payload)
                .hasSize(3000);
    }

    /**
     * The connection to node 2 is made again when it is needed; a message or two
     * may still meet the old one's end.
     */
    private void awaitReachable() {
        Cluster.await("node 2 is reachable", () -> {
            try {
                assertReachable();
                return true;
            } catch (DXNetException e) {
                return false;
            }
        });
    }

    private void assertGood() {
        cluster.awaitQuiet();
        threads.assertAlive();
        assertThat(cluster.failures).isEmpty();
        assertThat(cluster.end(0, 1)).isNull();
        assertThat(cluster.end(1, 0)).isNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
    void shouldLoseThatConnectionAloneWhateverTheStatus(int status) throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            CompletableFuture<Pong> outstanding = lost(status);
            long startNs = System.nanoTime();
            assertThatThrownBy(() -> outstanding.get(20, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(ConnectionLostException.class);
            assertThat(System.nanoTime() - startNs)
                    .as("it fails at once, long before its own time-out")
                    .isLessThan(TimeUnit.SECONDS.toNanos(15));
            Cluster.await("node 0 knows", () -> cluster.end(0, 2) != null);
            Cluster.await("node 2 knows", () -> cluster.end(2, 0) != null);
            assertThat(cluster.end(2, 0).reason()).isEqualTo(Disconnect.Reason.LOST);
            good.awaitProgress();
            awaitReachable();
            good.awaitProgress();
        }
        assertGood();
    }

    private CompletableFuture<Pong> lost(int status) {
        faults.failNextRequests(status, 1);
        return cluster.node(2).sendAsync(new Ping(0, "lost", 10), LIMIT);
    }

    @Test
    void shouldSurviveReceiversThatAreNotReady() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            for (int i = 0; i < 20; i++) {
                faults.receiverNotReadyNext(3);
                assertReachable();
            }
            good.awaitProgress();
        }
        assertThat(cluster.end(0, 2)).isNull();
        assertGood();
    }

    /**
     * The device accepts nothing, a part, or all of a chain: nothing is
     * lost, and no thread waits for ever.
     */
    @Test
    void shouldSurviveADeviceThatRefusesPosts() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            for (int i = 0; i < 2000; i++) {
                if (i % 7 == 0) {
                    faults.failNextCalls("ibv_post_send", ENOMEM, 1 + i % 3);
                }
                if (i % 50 == 0) {
                    faults.failNextCalls("ibv_post_srq_recv", ENOMEM, 2);
                }
                cluster.node(2).sendMessage(new Data(0, 3, i, i));
            }
            receiver.awaitCount(2, 3, 2000);
            assertReachable();
            good.awaitProgress();
        }
        assertThat(cluster.end(0, 2)).isNull();
        assertGood();
    }

    @Test
    void shouldSurviveAPortThatIsDownForShort() throws Exception {
        cluster.close();
        started = 0;
        cluster = IbNodes.cluster(
                3,
                builder -> configure(builder)
                        .transportOption("ib.ackTimeout", "17")
                        .transportOption("ib.retryCount", "6"));
        receiver = Receiver.on(cluster.node(0));
        threads = NodeThreads.of(cluster.node(0), cluster.node(1), cluster.node(2));
        assertReachable();
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            faults.portDown();
            CompletableFuture<Pong> pong = cluster.node(2).sendAsync(new Ping(0, "late", 10), LIMIT);
            good.awaitProgress();
            assertThat(pong).isNotDone();
            faults.portUp();
            assertThat(pong.get(30, TimeUnit.SECONDS).text).isEqualTo("late");
            good.awaitProgress();
        }
        assertThat(cluster.end(0, 2)).isNull();
        assertGood();
    }

    @Test
    void shouldLoseAndRemakeTheConnectionWhenThePortStaysDown() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            faults.portDown();
            CompletableFuture<Pong> pong = cluster.node(2).sendAsync(new Ping(0, "never", 10), LIMIT);
            assertThatThrownBy(() -> pong.get(20, TimeUnit.SECONDS)).hasCauseInstanceOf(ConnectionLostException.class);
            Cluster.await("word of the end", () -> cluster.end(2, 0) != null);
            assertThat(cluster.end(2, 0).detail()).contains("ib.ackTimeout");
            faults.portUp();
            awaitReachable();
            good.awaitProgress();
        }
        assertGood();
    }

    /**
     * Nothing of the failed attempt stays: the next one finds everything as if it were the first.
     */
    @ParameterizedTest
    @ValueSource(strings = {"ibv_reg_mr", "ibv_create_qp", "ibv_modify_qp"})
    void shouldConnectAfterAFailedAttempt(String verb) throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            cluster.node(2).close(); // its rings are registered
            cluster.start(2);
            threads = NodeThreads.of(cluster.node(0), cluster.node(1), cluster.node(2));
            for (int from = 0; from <= 2; from += 2) { // opened by it, or to it
                int to = 2 - from;
                int opener = from;
                awaitNoQueuePairOfNode2();
                faults.failNextCalls(verb, ENOMEM, 1);
                assertThatThrownBy(() -> cluster.node(opener).connectNode(to)).isInstanceOf(DXNetException.class);
                cluster.node(from).connectNode(to);
                assertReachable();
                cluster.node(from).disconnectNode(to);
                if (verb.equals("ibv_reg_mr")) {
                    break; // the ring's memory is registered now, and stays so
                }
            }
            good.awaitProgress();
        }
        if (verb.equals("ibv_reg_mr")) {
            assertThat(cluster.failures)
                    .as("node 2 tells its own operator: more of such connections fail until it may lock more")
                    .hasSize(1)
                    .allMatch(failure ->
                            failure.node() == 2 && failure.error() instanceof LockedMemory.ExceededException);
            cluster.failures.clear();
        }
        assertGood();
    }

    /** The end of a connection calls verbs too: it shall not be what the fault is for. */
    private void awaitNoQueuePairOfNode2() {
        Cluster.await(
                "no connection",
                () -> cluster.node(2).statistics().connections().isEmpty());
        Cluster.await("queue pairs of the stream alone", () -> SoftHca.census().queuePairs() == 2);
    }

    /** {@code IBV_EVENT_QP_FATAL}: the connection is over, and the next message makes another. */
    @Test
    void shouldLoseAndRemakeConnectionsWhoseQueuePairsBreak() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            faults.failQueuePairs();
            Cluster.await("node 0 knows", () -> cluster.end(0, 2) != null);
            Cluster.await("node 2 knows", () -> cluster.end(2, 0) != null);
            assertThat(cluster.end(2, 0).reason()).isEqualTo(Disconnect.Reason.LOST);
            awaitReachable();
            good.awaitProgress();
        }
        assertGood();
    }

    @Test
    void shouldEndAllConnectionsWhenTheDeviceIsRemoved() throws Exception {
        assertEndsAndComesBack(faults::remove, faults::restore);
    }

    /**
     * {@code IBV_EVENT_CQ_ERR}: all connections complete there, so the node
     * can't continue without a restart.
     */
    @Test
    void shouldEndAllConnectionsWhenACompletionQueueOverruns() throws Exception {
        assertEndsAndComesBack(faults::overrunCompletionQueues, () -> {});
    }

    private void assertEndsAndComesBack(Runnable fault, Runnable repair) throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            CompletableFuture<Pong> pong = cluster.node(2).sendAsync(new Ping(1, "before", 10), LIMIT);
            assertThat(pong.get(30, TimeUnit.SECONDS).text).isEqualTo("before");
            fault.run();
            Cluster.await("the ends", () -> cluster.end(0, 2) != null && cluster.end(1, 2) != null);
            Cluster.await("the ends at node 2", () -> cluster.end(2, 0) != null && cluster.end(2, 1) != null);
            assertThatThrownBy(() -> cluster.node(2).sendSync(new Ping(0, "after", 10), LIMIT))
                    .isInstanceOf(DXNetException.class);
            assertThatThrownBy(() -> cluster.node(0).sendSync(new Ping(2, "to it", 10), LIMIT))
                    .as("it receives nothing any more")
                    .isInstanceOf(NodeUnreachableException.class);
            good.awaitProgress();
            assertThat(cluster.failures).as("told once, not in a loop").hasSizeLessThanOrEqualTo(2);
            assertThat(cluster.failures)
                    .allMatch(failure -> failure.node() == 2 && failure.what().contains("the RDMA device failed"));
            cluster.failures.clear();
            DXNet broken = cluster.node(2);
            broken.close();
            repair.run();
            cluster.start(2);
            threads = NodeThreads.of(cluster.node(0), cluster.node(1), cluster.node(2));
            awaitReachable();
            good.awaitProgress();
        }
        cluster.failures.removeIf(failure -> failure.node() == 2);
        assertGood();
    }
}
