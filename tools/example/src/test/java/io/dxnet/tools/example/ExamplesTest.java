package io.dxnet.tools.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.NodeMap;
import io.dxnet.RequestFailedException;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ExamplesTest {
    @Test
    void shouldReadATableOfAnotherNode() throws Exception {
        List<NodeMap> maps = LocalNodes.maps(2);
        try (SharedTable table = new SharedTable(maps.get(0), 10);
                SharedTable.Reader reader = new SharedTable.Reader(maps.get(1), 0)) {
            assertThat(reader.get(9)).isEmpty();
            for (int i = 0; i < 100; i++) {
                table.put(3, "text " + i);
                assertThat(reader.get(3)).isEqualTo("text " + i);
            }
            assertThat(table.reads()).isEqualTo(101);
        }
    }

    @Test
    void shouldSpreadTheWork() throws Exception {
        List<NodeMap> maps = LocalNodes.maps(3);
        try (WorkQueue first = new WorkQueue(maps.get(1), 2);
                WorkQueue second = new WorkQueue(maps.get(2), 2);
                WorkQueue producer = new WorkQueue(maps.get(0), 2)) {
            for (int i = 0; i < 20_000; i++) {
                producer.submit(new WorkQueue.Job(i, "job " + i));
            }
            Await.until("the results", () -> producer.results() == 20_000);
            assertThat(producer.letters()).isEqualTo(3 * 20_000);
            assertThat(first.results() + second.results()).isZero();
        }
    }

    @Test
    void shouldAnswerWhileOthersBlock() throws Exception {
        List<NodeMap> maps = LocalNodes.maps(2);
        CountDownLatch slow = new CountDownLatch(1);
        try (BlockingService server = new BlockingService(maps.get(1), key -> {
                    if (key.equals("slow")) {
                        try {
                            slow.await();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    }
                    return switch (key) {
                        case "none" -> throw new IllegalArgumentException("no such key");
                        default -> "value of " + key;
                    };
                });
                BlockingService client = new BlockingService(maps.get(0), key -> key)) {
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return client.get(1, "slow");
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            assertThat(client.get(1, "a")).isEqualTo("value of a");
            assertThat(server.get(0, "b")).isEqualTo("b");
            assertThatThrownBy(() -> client.get(1, "none"))
                    .isInstanceOf(RequestFailedException.class)
                    .hasMessageContaining("no such key");
            assertThat(waiting).isNotDone();
            slow.countDown();
            assertThat(waiting.get(30, TimeUnit.SECONDS)).isEqualTo("value of slow");
        }
    }

    @Test
    void shouldSendWhatAnotherSerializerWrites() throws Exception {
        List<NodeMap> maps = LocalNodes.maps(2);
        BlockingQueue<Properties> received = new LinkedBlockingQueue<>();
        Properties settings = new Properties();
        settings.setProperty("colour", "blau \u20ac");
        try (DXNet receiver = DXNet.builder(maps.get(1))
                        .on(OtherSerializer.SETTINGS, (each, from) -> received.add(each))
                        .start();
                DXNet sender = DXNet.builder(maps.get(0)).start()) {
            sender.send(receiver.nodeId(), OtherSerializer.SETTINGS, settings);
            assertThat(received.poll(30, TimeUnit.SECONDS)).isEqualTo(settings);
        }
    }

    @Test
    void shouldAddUpTheParts() throws Exception {
        List<NodeMap> maps = LocalNodes.maps(3);
        try (ReplicatedCounter a = new ReplicatedCounter(maps.get(0), List.of(1, 2));
                ReplicatedCounter b = new ReplicatedCounter(maps.get(1), List.of(0, 2));
                ReplicatedCounter c = new ReplicatedCounter(maps.get(2), List.of(0, 1))) {
            for (int i = 0; i < 1000; i++) {
                a.add("visits", 1);
                b.add("visits", 10);
            }
            Await.until("the sum", () -> c.sum("visits") == 11_000);
            assertThat(a.sumAt(2, "visits")).isEqualTo(11_000);
            Await.until("the sum", () -> a.sum("visits") == 11_000 && b.sum("visits") == 11_000);
        }
    }
}
