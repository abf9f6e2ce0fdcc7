package io.dxnet.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.Disconnect;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections and runs that follow one another: nothing of the earlier reaches the later. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
public abstract class RunsContract extends TransportContract {
    private static final int ROUNDS = 30;

    /** For the transports' test classes. */
    protected RunsContract() {}

    /** Each run begins with the same ids of requests: a response belongs to the run that asked. */
    @Test
    void shouldNotAnswerALaterRunWithTheResponseToAnEarlierOne() throws Exception {
        Cluster cluster = cluster(
                2,
                builder -> builder.threadingLayout(ThreadingLayout.DEDICATED)
                        .handlers(3)
                        .closeTimeoutMs(300));
        CountDownLatch early = new CountDownLatch(1);
        CountDownLatch late = new CountDownLatch(1);
        CountDownLatch earlyAnswered = new CountDownLatch(1);
        DXNet net = cluster.node(1);
        net.register(TestMessages.TYPE, TestMessages.PING, (Ping ping) -> {
            if (ping.text.equals("early")) {
                early.countDown();
                late.await();
                try {
                    net.sendMessage(new Pong(ping));
                } finally {
                    earlyAnswered.countDown();
                }
            } else {
                late.countDown();
                earlyAnswered.await();
                net.sendMessage(new Pong(ping));
            }
        });
        CompletableFuture<Pong> first = cluster.node(0).sendAsync(new Ping(1, "early", 1), Cluster.PATIENCE);
        early.await();
        cluster.node(0).close();
        assertThat(first).isCompletedExceptionally();
        DXNet again = cluster.start(0);
        assertThat(again.sendSync(new Ping(1, "late", 1), Cluster.PATIENCE).text)
                .isEqualTo("late");
        cluster.awaitQuiet();
    }

    /** Two ends of one connection that begin at once leave the way free for the next. */
    @Test
    void shouldConnectAgainWhenBothNodesEndAtOnce() {
        Cluster cluster = cluster(2, builder -> builder);
        CyclicBarrier barrier = new CyclicBarrier(2);
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int node = i;
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            Thread.ofPlatform().start(() -> {
                try {
                    askAndEnd(cluster.node(node), 1 - node, barrier);
                    end.complete(null);
                } catch (Throwable e) {
                    end.completeExceptionally(e);
                }
            });
        }
        ends.forEach(CompletableFuture::join);
        assertThat(cluster.events.stream().filter(event -> event.cause() != null))
                .extracting(event -> event.cause().reason())
                .doesNotContain(Disconnect.Reason.LOST);
        assertThat(cluster.failures).isEmpty();
        cluster.awaitQuiet();
    }

    private static void askAndEnd(DXNet net, int other, CyclicBarrier barrier) throws Exception {
        long seconds = Cluster.PATIENCE.toSeconds();
        for (int i = 0; i < ROUNDS; i++) {
            String text = net.nodeId() + "/" + i;
            assertThat(net.sendSync(new Ping(other, text, 10), Cluster.PATIENCE).text)
                    .isEqualTo(text);
            barrier.await(seconds, TimeUnit.SECONDS);
            net.disconnectNode(other);
            Cluster.await("the end", () -> net.statistics().connections().isEmpty());
            barrier.await(seconds, TimeUnit.SECONDS);
        }
    }
}
