package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.NodeThreads;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import io.dxnet.softhca.SoftHca;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Connections are opened, ended and opened again, from all sides at
 * once, with good and with bad peers.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class ConnectTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int BAD = 1;

    private static void assertGood(Cluster cluster) {
        cluster.awaitQuiet();
        assertThat(cluster.failures).isEmpty();
        assertThat(cluster.events.stream()
                        .filter(event ->
                                event.cause() != null && event.cause().reason() == io.dxnet.Disconnect.Reason.LOST))
                .isEmpty();
    }

    @Test
    void shouldBeOneConnectionWhenBothOpenItAtOnce() throws Exception {
        try (Cluster cluster = IbNodes.cluster(2, IbNodes::tiny)) {
            Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
            int rounds = 150;
            CyclicBarrier barrier = new CyclicBarrier(2);
            List<Thread> threads = new ArrayList<>();
            for (int n = 0; n < 2; n++) {
                int node = n;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int i = 0; i < rounds; i++) {
                            barrier.await(60, TimeUnit.SECONDS);
                            String text = node + "/" + i;
                            Ping ping = new Ping(1 - node, text, 100);
                            assertThat(cluster.node(node).sendSync(ping, LIMIT).text)
                                    .isEqualTo(text);
                            barrier.await(60, TimeUnit.SECONDS);
                            cluster.node(node).disconnectNode(1 - node);
                            Cluster.await(
                                    "the end",
                                    () -> cluster.node(node)
                                            .statistics()
                                            .connections()
                                            .isEmpty());
                        }
                    } catch (Exception | AssertionError e) {
                        wrong.add(e);
                        barrier.reset();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).isEmpty();
            assertGood(cluster);
        }
    }

    @Test
    void shouldBeOneConnectionForHundredsOfThreads() throws Exception {
        try (Cluster cluster = IbNodes.cluster(2, IbNodes::configure)) {
            int count = 300;
            CountDownLatch go = new CountDownLatch(1);
            Queue<Throwable> wrong = new ConcurrentLinkedQueue<>();
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < count; t++) {
                int node = t % 2;
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        go.await();
                        cluster.node(node).connectNode(1 - node);
                        cluster.node(node).sendSync(new Ping(1 - node, "x", 10), LIMIT);
                    } catch (Exception | AssertionError e) {
                        wrong.add(e);
                    }
                }));
            }
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(wrong).isEmpty();
            assertThat(cluster.node(0).statistics().connectionsOpened()).isEqualTo(1);
            assertThat(cluster.node(1).statistics().connectionsOpened()).isEqualTo(1);
            assertGood(cluster);
        }
    }

    @Test
    void shouldDismissTheLeastRecentlyUsedOne() throws Exception {
        try (Cluster cluster =
                IbNodes.cluster(6, builder -> IbNodes.tiny(builder).maxConnections(2))) {
            for (int round = 0; round < 4; round++) {
                for (int to = 1; to < 6; to++) {
                    assertThat(cluster.node(0).sendSync(new Ping(to, "r" + round, 5000), LIMIT).payload)
                            .hasSize(5000);
                }
            }
            Cluster.await(
                    "few connections",
                    () -> cluster.node(0).statistics().connections().size() <= 2);
            assertGood(cluster);
        }
    }

    @Test
    void shouldFreeAllThatTheDeviceGave() throws Exception {
        IbNodes.assumeSoftware();
        SoftHca.Census before = SoftHca.census();
        try (Cluster cluster = IbNodes.cluster(2, IbNodes::tiny)) {
            for (int i = 0; i < 30; i++) {
                cluster.node(i % 2).sendSync(new Ping(1 - i % 2, "x", 10_000), LIMIT);
                cluster.node(0).disconnectNode(1);
                Cluster.await("queue pairs are gone", () -> SoftHca.census().queuePairs() == before.queuePairs());
            }
        }
        assertThat(SoftHca.census()).isEqualTo(before);
    }

    @Test
    void shouldKnowANodeThatWasStartedAgain() throws Exception {
        try (Cluster cluster = IbNodes.cluster(2, IbNodes::tiny)) {
            Receiver receiver = Receiver.on(cluster.node(0));
            for (int run = 0; run < 8; run++) {
                for (int i = 0; i < 20; i++) {
                    cluster.node(1).sendMessage(new Data(0, run, i, 1000));
                }
                receiver.awaitCount(1, run, 20);
                cluster.node(0).sendSync(new Ping(1, "x", 10), LIMIT);
                cluster.node(1).close();
                cluster.start(1);
            }
            cluster.awaitQuiet();
            assertThat(cluster.failures).isEmpty();
        }
    }

    // ---------------------------------------------------------------- bad peers

    private static final QpInfo NOWHERE =
            new QpInfo(new QpAddress(4711, 1, 0, Gid.parseHex("00000000000000000000ffff0a090909")), 4096, 65536, 5000);

    private static Hello hello(String transport, long connectionId, byte[] payload) {
        DXNetConfig config = IbNodes.tiny(DXNetConfig.builder()).build();
        return Hello.of(config, transport, BAD, 0, 77, connectionId, 0, payload);
    }

    /** A node of its own, whose peer 1 is whatever a test makes it. */
    private interface Badly {
        void behave(Cluster cluster, List<String> addresses) throws Exception;
    }

    private static void with(String keepAliveMs, Badly badly) throws Exception {
        List<String> addresses = Ports.addresses(3);
        try (Cluster cluster = new Cluster(
                List.of(Ports.map(0, addresses)),
                builder -> IbNodes.tiny(builder)
                        .connectTimeoutMs(3000)
                        .closeTimeoutMs(3000)
                        .transportOption("ib.handshakeTimeoutMs", "500")
                        .transportOption("ib.keepAliveMs", keepAliveMs))) {
            NodeThreads threads = NodeThreads.of(cluster.node(0));
            badly.behave(cluster, addresses);
            // Its place is free for a good one.
            try (Cluster other = new Cluster(List.of(Ports.map(BAD, addresses)), IbNodes::tiny)) {
                DXNet good = other.node(0);
                assertThat(good.sendSync(new Ping(0, "good", 10), LIMIT).text).isEqualTo("good");
                assertThat(cluster.node(0).sendSync(new Ping(BAD, "well", 9000), LIMIT).payload)
                        .hasSize(9000);
            }
            cluster.awaitQuiet();
            threads.assertAlive();
            assertThat(cluster.failures).isEmpty();
        }
    }

    @Test
    void shouldRefuseAHelloWithImpossibleData() throws Exception {
        with("5000", (cluster, addresses) -> {
            int id = 1;
            for (byte[] payload : new byte[][] {{}, new byte[QpInfo.BYTES], new byte[1024], {1, 2, 3}}) {
                try (RawPeer bad = new RawPeer(Ports.resolved(addresses.get(0)))) {
                    Reply reply =
                            bad.write(hello("ib", id++, payload).encode()).answer(from -> Reply.read(from::readFully));
                    assertThat(reply.accepted()).isFalse();
                    assertThat(reply.reason()).contains("queue pair");
                    assertThat(bad.isHungUp()).isTrue();
                }
            }
        });
    }

    @Test
    void shouldRefuseAnotherTransportAndAnotherVersion() throws Exception {
        with("5000", (cluster, addresses) -> {
            try (RawPeer nio = new RawPeer(Ports.resolved(addresses.get(0)))) {
                Reply reply =
                        nio.write(hello("nio", 1, new byte[0]).encode()).answer(from -> Reply.read(from::readFully));
                assertThat(reply.accepted()).isFalse();
                assertThat(reply.reason()).isEqualTo("transport differs: it must be equal on all nodes");
            }
            try (RawPeer old = new RawPeer(Ports.resolved(addresses.get(0)))) {
                Reply reply = old.write(
                                hello("ib", 1, NOWHERE.encode()).encode().putShort(8, (short) 1))
                        .answer(from -> Reply.read(from::readFully));
                assertThat(reply.reason()).contains("version 1");
            }
            try (RawPeer garbage = new RawPeer(Ports.resolved(addresses.get(0)))) {
                garbage.write("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: everything there is\r\n\r\n"
                        .getBytes(java.nio.charset.StandardCharsets.US_ASCII));
                assertThat(garbage.isHungUp()).isTrue();
            }
        });
    }

    /**
     * Its queue pair is nowhere, and it reports that it is ready or never does: in
     * either case it is given up in time.
     */
    @Test
    void shouldGiveUpAPeerThatNeverSaysThatItIsReady() throws Exception {
        with("400", (cluster, addresses) -> {
            try (RawPeer bad = new RawPeer(Ports.resolved(addresses.get(0)))) {
                assertThat(bad.write(hello("ib", 1, NOWHERE.encode()).encode())
                                .answer(from -> Reply.read(from::readFully))
                                .accepted())
                        .isTrue();
                Thread alive = Thread.ofPlatform().daemon().start(() -> {
                    try {
                        for (; ; ) { // it reports that it lives, and nothing more
                            bad.write(new byte[] {ControlChannel.ALIVE});
                            Thread.sleep(20);
                        }
                    } catch (Exception e) {
                        // it was hung up
                    }
                });
                assertThatThrownBy(() -> cluster.node(0).sendSync(new Ping(BAD, "x", 1), LIMIT))
                        .isInstanceOf(NodeUnreachableException.class);
                assertThat(bad.isCutOff()).isTrue();
                alive.join();
            }
        });
    }

    @Test
    void shouldGiveUpAPeerThatSaysWhatNoNodeSays() throws Exception {
        with("5000", (cluster, addresses) -> {
            for (int i = 1; i < 20; i++) {
                try (RawPeer bad = new RawPeer(Ports.resolved(addresses.get(0)))) {
                    RawPeer sent = bad.write(hello("ib", i, NOWHERE.encode()).encode());
                    assertThat(sent.answer(from -> Reply.read(from::readFully)).accepted())
                            .isTrue();
                    bad.write(new byte[] {ControlChannel.READY, ControlChannel.READY, (byte) (99 + i)});
                    assertThat(bad.isCutOff()).isTrue();
                }
            }
        });
    }

    /**
     * The queue pair lives, but the control channel is cut: the connection ends, and is made again.
     */
    @Test
    void shouldNoticeAPeerThatIsSilent() throws Exception {
        with("300", (cluster, addresses) -> {
            try (RawPeer bad = new RawPeer(Ports.resolved(addresses.get(0)))) {
                assertThat(bad.write(hello("ib", 1, NOWHERE.encode()).encode())
                                .answer(from -> Reply.read(from::readFully))
                                .accepted())
                        .isTrue();
                bad.write(new byte[] {ControlChannel.READY});
                Cluster.await("its end", () -> cluster.end(0, BAD) != null);
                assertThat(cluster.end(0, BAD).detail()).contains("ib.keepAliveMs");
                assertThat(bad.isCutOff()).isTrue();
            }
        });
    }

    /** However often: a connection that ends while it is opened leaves nothing behind. */
    @Test
    void shouldLeaveNothingOfAPeerThatHangsUpInTheMiddle() throws Exception {
        IbNodes.assumeSoftware();
        SoftHca.Census before = SoftHca.census();
        with("5000", (cluster, addresses) -> {
            for (int i = 1; i <= 60; i++) {
                try (RawPeer bad = new RawPeer(Ports.resolved(addresses.get(0)))) {
                    bad.write(hello("ib", i, NOWHERE.encode()).encode());
                    if (i % 3 == 0) {
                        bad.answer(from -> Reply.read(from::readFully));
                    }
                    if (i % 2 == 0) {
                        bad.reset();
                    } else {
                        bad.hangUp();
                    }
                }
            }
            Cluster.await("no queue pair is left", () -> SoftHca.census().queuePairs() == before.queuePairs());
        });
        assertThat(SoftHca.census()).isEqualTo(before);
    }
}
