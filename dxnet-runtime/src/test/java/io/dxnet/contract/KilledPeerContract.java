package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ConnectionLostException;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Node 2, a process, is killed with SIGKILL in the middle of a stream of 1 MiB messages in both
 * directions, again and again, while node 1 streams to node 0.
 */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
public abstract class KilledPeerContract {
    /** The transport that connects the processes. */
    protected abstract String transport();

    private static final int CHILD = 2;
    private static final int ROUNDS = 5;
    private static final int MIB = 1 << 20;
    private static final int STREAM = 3;
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(200);

    private List<String> addresses;
    private Cluster cluster;
    private DXNet survivor;
    private Receiver receiver;
    private ChildProcess child;

    private DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport(transport()).sendTimeoutMs(60_000); // the loss is to be noticed, not a time to run out
    }

    @Test
    void shouldLoseThatConnectionAloneAndReconnectWithTheNextSend() throws Exception {
        addresses = Ports.addresses(3);
        cluster = new Cluster(List.of(Ports.map(0, addresses), Ports.map(1, addresses)), this::configure);
        survivor = cluster.node(0);
        receiver = Receiver.on(survivor);
        NodeThreads threads = NodeThreads.of(survivor, cluster.node(1));
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
            for (int round = 0; round < ROUNDS; round++) {
                child = new ChildProcess(transport(), CHILD, addresses);
                round(good);
                good.awaitProgress();
                awaitNothingLeft();
            }
        } finally {
            if (child != null) {
                child.close();
            }
            cluster.awaitQuiet();
            threads.assertAlive();
            cluster.close();
        }
        assertThat(cluster.failures).isEmpty();
    }

    private void round(GoodStream good) throws Exception {
        cluster.events.clear();
        // The restarted one is connected by a send, in both directions; so it is
        // by its own in the other rounds.
        assertThat(survivor.sendSync(new Ping(CHILD, "again", 100), Duration.ofSeconds(30)).payload)
                .hasSize(100);
        assertThat(child.tell("ping 0 100")).isEqualTo("100");
        int before = receiver.total();
        assertThat(child.tell("stream 0 " + STREAM + " " + MIB)).isEqualTo("ok");
        AtomicReference<Exception> sending = new AtomicReference<>();
        // Before the stream, which a request may have to wait behind: one that was
        // not sent yet would be sent again: the child must have both.
        CompletableFuture<Pong> silent = survivor.sendAsync(new Ping(CHILD, ChildNode.SILENT, 1), REQUEST_TIMEOUT);
        CompletableFuture<Exception> waiting = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                survivor.sendSync(new Ping(CHILD, ChildNode.SILENT, 1), REQUEST_TIMEOUT);
            } catch (DXNetException e) {
                waiting.complete(e);
            }
        });
        Cluster.await("both requests", () -> child.silent() == 2);
        Thread sender = Thread.ofPlatform().daemon().start(() -> {
            try {
                for (int i = 0; ; i++) {
                    survivor.sendMessage(new Data(CHILD, STREAM, i, MIB));
                }
            } catch (DXNetException e) {
                sending.set(e);
            }
        });
        Cluster.await("streams both ways", () -> child.count(0, STREAM) >= 10 && receiver.total() - before >= 10);
        assertThat(silent).isNotDone();

        child.kill();

        Cluster.await("the end", () -> cluster.end(0, CHILD) != null);
        assertThat(cluster.end(0, CHILD).reason()).isEqualTo(Disconnect.Reason.LOST);
        assertThat(cluster.end(0, CHILD).unconfirmedBytes()).isPositive();
        assertThat(failure(silent)).isInstanceOf(ConnectionLostException.class);
        assertThat(waiting.get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .isInstanceOf(ConnectionLostException.class)
                .hasMessageContaining("node " + CHILD)
                .hasMessageContaining("Ping");
        sender.join(Cluster.PATIENCE);
        // In the middle of a message, or by the next one's attempt to connect.
        assertThat(sending.get()).isInstanceOfAny(ConnectionLostException.class, NodeUnreachableException.class);
        assertThat(cluster.end(0, 1)).isNull();
        assertThat(cluster.end(1, 0)).isNull();
        good.awaitProgress();
    }

    private static Throwable failure(CompletableFuture<?> future) throws InterruptedException, TimeoutException {
        try {
            future.get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (java.util.concurrent.ExecutionException | CompletionException e) {
            return e.getCause();
        }
        return null;
    }

    /**
     * The good stream uses a few buffers all the time, so the level does not stay at
     * zero; a leak would never let it be.
     */
    private void awaitNothingLeft() {
        Cluster.await(
                "full pools after the kill: " + survivor.statistics(),
                () -> survivor.statistics().buffersInUse() == 0);
        assertThat(survivor.statistics().requestsOutstanding()).isZero();
        assertThat(receiver.wrong()).isNull();
    }
}
