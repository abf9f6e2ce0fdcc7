package io.dxnet.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.TestMessages;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.contract.TestMessages.Pong;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A callback that waits for a response, with the default configuration. */
class FullStoreTest {
    /** The response lies behind more messages than the store of the callback's handler holds. */
    @Test
    @Timeout(240)
    void shouldGetTheResponseInACallbackThoughTheStoreIsFull() throws Exception {
        int messages = 50_000; // of a bit more than 20 bytes: less than the window
        AtomicReference<Object> outcome = new AtomicReference<>();
        AtomicInteger received = new AtomicInteger();
        try (Cluster cluster = new Cluster(
                List.of(new NodeMap(0), new NodeMap(1)),
                builder -> builder.transport("loopback")
                        .clusterName("full-store")
                        .handlers(1)
                        .threadingLayout(ThreadingLayout.FUSED)
                        .sendTimeoutMs(100_000))) {
            Thread streaming = Thread.ofPlatform().unstarted(() -> {
                try {
                    for (int i = 0; i < messages; i++) {
                        cluster.node(1).sendMessage(new Data(0, 0, i, 8));
                    }
                } catch (DXNetException e) {
                    throw new AssertionError(e);
                }
            });
            cluster.node(0).register(TestMessages.TYPE, TestMessages.DATA, (Data data) -> {
                if (received.getAndIncrement() == 0) {
                    Cluster.await(
                            "a full store",
                            () -> cluster.node(1).statistics().sendsBlocked() > 0 || !streaming.isAlive());
                    try {
                        outcome.set(cluster.node(0).sendSync(new Ping(1, "inside", 1), Duration.ofSeconds(20)));
                    } catch (DXNetException e) {
                        outcome.set(e);
                    }
                }
            });
            streaming.start();
            Cluster.await("all messages", () -> received.get() == messages);
        }
        assertThat(outcome.get()).isInstanceOf(Pong.class);
    }
}
