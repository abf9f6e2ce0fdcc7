package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.SendTimeoutException;
import io.dxnet.Statistics;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Node 2, a process, is stopped with SIGSTOP: its kernel accepts some more data, then
 * nothing. Node 1 streams to node 0.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class StoppedPeerContract {
    /** The transport that connects the processes. */
    protected abstract String transport();

    private static final int CHILD = 2;
    private static final int SEND_TIMEOUT_MS = 1000;
    private static final int WINDOW = 1 << 20;
    private static final int ORB = 256 << 10;
    private static final int LARGE = 8 << 20;
    /** For a machine that does other things too. */
    private static final Duration SLACK = Duration.ofSeconds(20);

    private Cluster cluster;
    private DXNet sender;
    private Receiver receiver;
    private NodeThreads threads;
    private ChildProcess child;
    private boolean isSenderConfigured;

    @BeforeEach
    void start() throws Exception {
        List<String> addresses = Ports.addresses(3);
        child = new ChildProcess(transport(), CHILD, addresses, "flowControlWindowBytes=" + WINDOW, "ringBytes=" + ORB);
        cluster = new Cluster(List.of(Ports.map(0, addresses), Ports.map(1, addresses)), this::configure);
        sender = cluster.node(0);
        receiver = Receiver.on(sender);
        threads = NodeThreads.of(sender, cluster.node(1));
        assertThat(sender.sendSync(new Ping(CHILD, "warm", 1), SLACK).text).isEqualTo("warm");
        assertThat(child.tell("ping 0 10")).isEqualTo("10");
    }

    private DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        // The other node has the good stream: a pause of this process must not be its time-out.
        int sendTimeoutMs = isSenderConfigured ? 60_000 : SEND_TIMEOUT_MS;
        isSenderConfigured = true;
        return builder.transport(transport())
                .sendTimeoutMs(sendTimeoutMs)
                .flowControlWindowBytes(WINDOW)
                .ringBytes(ORB);
    }

    @AfterEach
    void stop() throws Exception {
        child.close();
        cluster.close();
    }

    private static int sendUntilItFails(DXNet from, int thread, int bytes, Throwable[] failure) {
        int sent = 0;
        long lastNs = System.nanoTime();
        try {
            for (; ; sent++) {
                lastNs = System.nanoTime();
                from.sendMessage(new Data(CHILD, thread, sent, bytes));
            }
        } catch (io.dxnet.DXNetException e) {
            failure[0] = e;
        }
        assertThat(System.nanoTime() - lastNs)
                .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(SEND_TIMEOUT_MS))
                .isLessThan(TimeUnit.MILLISECONDS.toNanos(SEND_TIMEOUT_MS) + SLACK.toNanos());
        return sent;
    }

    private Statistics.OfConnection connection() {
        return sender.statistics().connections().stream()
                .filter(c -> c.nodeId() == CHILD)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldTimeOutSmallMessagesAndDeliverThemAllLater() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            child.stop();
            Throwable[] failure = new Throwable[1];
            int sent = sendUntilItFails(sender, 1, 1000, failure);
            assertThat(failure[0])
                    .isInstanceOf(SendTimeoutException.class)
                    .hasMessageContaining("node " + CHILD)
                    .hasMessageContaining("sendTimeoutMs");
            // What a peer that reads nothing costs: the window, and no buffer of the pool.
            assertThat(connection().bytesUnconfirmed()).isLessThanOrEqualTo(WINDOW + 2000);
            assertThat(connection().bytesInRing()).isLessThanOrEqualTo(ORB);
            assertThat(cluster.end(0, CHILD)).as("small messages do not end it").isNull();
            good.awaitProgress();

            child.goOn();

            Cluster.await("what was sent", () -> child.count(0, 1) == sent);
            sender.sendMessage(new Data(CHILD, 1, sent, 1000));
            Cluster.await("one more", () -> child.count(0, 1) == sent + 1);
            assertThat(cluster.end(0, CHILD)).isNull();
        }
        assertGood();
    }

    @Test
    void shouldEndTheConnectionAsStalledWhenAStreamedMessageTimesOut() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            child.stop();
            long startNs = System.nanoTime();
            Throwable failure = catchThrowable(() -> sender.sendMessage(new Data(CHILD, 1, 0, LARGE)));
            assertThat(failure).isInstanceOf(SendTimeoutException.class);
            assertThat(System.nanoTime() - startNs)
                    .isLessThan(TimeUnit.MILLISECONDS.toNanos(SEND_TIMEOUT_MS) + SLACK.toNanos());
            Cluster.await("the end", () -> cluster.end(0, CHILD) != null);
            assertThat(cluster.end(0, CHILD).reason()).isEqualTo(Disconnect.Reason.STALLED);
            assertThat(cluster.end(0, CHILD).unconfirmedBytes()).isPositive();
            good.awaitProgress();

            child.goOn();

            // The child learns of the end when it continues; until then it refuses, or
            // replaces the new connection's place.
            awaitReconnected();
            sender.sendMessage(new Data(CHILD, 1, 0, LARGE));
            Cluster.await("the large one", () -> child.count(0, 1) == 1);
            child.awaitNoBuffersInUse();
        }
        assertGood();
    }

    /**
     * While it is stopped, requests to it run into their own time limit
     * and new connections into theirs.
     */
    @Test
    void shouldBoundEverythingElseToo() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            child.stop();
            assertThat(catchThrowable(() -> sender.sendSync(new Ping(CHILD, "?", 1), Duration.ofMillis(200))))
                    .isInstanceOf(io.dxnet.RequestTimeoutException.class);
            Throwable[] failure = new Throwable[1];
            Thread[] senders = new Thread[4];
            for (int i = 0; i < senders.length; i++) {
                int thread = i;
                senders[i] = Thread.ofPlatform().start(() -> {
                    Throwable[] own = new Throwable[1];
                    sendUntilItFails(sender, 10 + thread, 10_000, own);
                    synchronized (failure) {
                        failure[0] = failure[0] == null || own[0] instanceof SendTimeoutException ? own[0] : failure[0];
                    }
                });
            }
            for (Thread each : senders) {
                each.join(SLACK.toMillis() + SEND_TIMEOUT_MS);
                assertThat(each.isAlive()).isFalse();
            }
            assertThat(failure[0]).isInstanceOf(SendTimeoutException.class);
            assertThat(sender.statistics().requestsOutstanding()).isZero();
            good.awaitProgress();
            child.goOn();
            Cluster.await("an answer", () -> {
                try {
                    return sender.sendSync(new Ping(CHILD, "!", 1), SLACK).text.equals("!");
                } catch (SendTimeoutException e) {
                    return false; // it has not read what piled up yet
                } catch (io.dxnet.DXNetException e) {
                    throw new AssertionError(e);
                }
            });
        }
        assertGood();
    }

    private void awaitReconnected() {
        Cluster.await("a new connection", () -> {
            try {
                return sender.sendSync(new Ping(CHILD, "back", 1), SLACK).text.equals("back");
            } catch (ConnectionLostException | io.dxnet.NodeUnreachableException e) {
                return false;
            } catch (io.dxnet.DXNetException e) {
                throw new AssertionError(e);
            }
        });
    }

    private void assertGood() throws Exception {
        assertThat(child.tell("ping 0 100000")).isEqualTo("100000");
        cluster.awaitQuiet();
        threads.assertAlive();
        assertThat(cluster.failures).isEmpty();
        assertThat(cluster.end(0, 1)).isNull();
    }
}
