package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.NodeThreads;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.transport.connection.PairedOpening;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two nodes claim one id. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SameIdTest {
    private static final int CONNECT_TIMEOUT_MS = 12_000;

    private static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio")
                .connectTimeoutMs(CONNECT_TIMEOUT_MS)
                .transportOption("nio.handshakeTimeoutMs", "500");
    }

    private static Throwable refusal(DXNet impostor) {
        long startNs = System.nanoTime();
        Throwable failure = catchThrowable(() -> impostor.sendMessage(new Data(0, 0, 0, 10)));
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(20));
        return failure;
    }

    @Test
    void shouldRefuseTheSecondOneAndLeaveTheFirstAlone() throws Exception {
        List<String> addresses = Ports.addresses(3);
        NodeMap impostorsMap = new NodeMap(1).put(0, addresses.get(0)).put(1, addresses.get(2));
        try (Cluster cluster =
                        new Cluster(List.of(Ports.map(0, addresses), Ports.map(1, addresses)), SameIdTest::configure);
                Cluster impostors = new Cluster(List.of(impostorsMap), SameIdTest::configure)) {
            Receiver receiver = Receiver.on(cluster.node(0));
            NodeThreads threads = NodeThreads.of(cluster.node(0), cluster.node(1));
            try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500)) {
                for (int i = 0; i < 2; i++) {
                    assertThat(refusal(impostors.node(0)))
                            .isInstanceOf(NodeUnreachableException.class)
                            .hasMessageContaining("node id 1 is in use by another running node");
                    good.awaitProgress();
                }
                assertThat(cluster.node(0).sendSync(new Ping(1, "the first", 1), Duration.ofSeconds(30)).text)
                        .isEqualTo("the first");
            }
            assertThat(cluster.events).allMatch(event -> event.cause() == null);
            assertThat(cluster.node(0).statistics().connectionsOpened()).isEqualTo(1);
            // The place is free when the first one is gone.
            cluster.node(1).close();
            Cluster.await("the end of the first", () -> cluster.end(0, 1) != null);
            impostors.node(0).sendMessage(new Data(0, 5, 0, 10));
            receiver.awaitCount(1, 5, 1);
            cluster.awaitQuiet();
            threads.assertAliveOf(cluster.node(0));
        }
    }

    /**
     * The first one is known by the connection that was opened to it
     * alone: it does not have our address.
     */
    @Test
    void shouldRefuseTheSecondOneAlsoWhenTheFirstNeverSent() throws Exception {
        List<String> addresses = Ports.addresses(3);
        NodeMap listenerOnly = new NodeMap(1).put(1, addresses.get(1));
        NodeMap impostorsMap = new NodeMap(1).put(0, addresses.get(0)).put(1, addresses.get(2));
        try (Cluster cluster = new Cluster(List.of(Ports.map(0, addresses), listenerOnly), SameIdTest::configure);
                Cluster impostors = new Cluster(List.of(impostorsMap), SameIdTest::configure)) {
            Receiver receiver = Receiver.on(cluster.node(1));
            try (GoodStream good = new GoodStream(cluster.node(0), 1, receiver, 500)) {
                assertThat(refusal(impostors.node(0)))
                        .isInstanceOf(NodeUnreachableException.class)
                        .hasMessageContaining("1");
                good.awaitProgress();
            }
            assertThat(cluster.events).allMatch(event -> event.cause() == null);
        }
    }

    /**
     * Both send to a third at the same time. Which of them gets in is open, and the one that is not
     * at the map's address may lose its place again; but no sender loses a message without a
     * report, and the right one is in when the other one is gone.
     */
    @Test
    void shouldTellTheLoserWhenTwoComeAtOnce() throws Exception {
        for (int round = 0; round < 5; round++) {
            List<String> addresses = Ports.addresses(3);
            NodeMap second = new NodeMap(1).put(0, addresses.get(0)).put(1, addresses.get(2));
            try (Cluster cluster = new Cluster(List.of(Ports.map(0, addresses)), SameIdTest::configure);
                    Cluster two = new Cluster(List.of(Ports.map(1, addresses), second), SameIdTest::configure)) {
                Receiver receiver = Receiver.on(cluster.node(0));
                DXNetException[] failures = new DXNetException[2];
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    int which = i;
                    threads.add(Thread.ofPlatform().start(() -> {
                        try {
                            for (int k = 0; k < 100; k++) {
                                two.node(which).sendMessage(new Data(0, which, k, 100));
                            }
                        } catch (DXNetException e) {
                            failures[which] = e;
                        }
                    }));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                for (int i = 0; i < 2; i++) {
                    int which = i;
                    Cluster.await(
                            "delivered or told: " + which,
                            () -> receiver.count(1, which) == 100
                                    || failures[which] != null
                                    || two.end(which, 0) != null);
                }
                assertThat(receiver.wrong()).isNull();
                two.node(1).close();
                Cluster.await("the right one", () -> {
                    try {
                        return two.node(0)
                                .sendSync(new Ping(0, "I", 1), Duration.ofSeconds(30))
                                .text
                                .equals("I");
                    } catch (DXNetException e) {
                        return false; // the end of the other one was not noticed yet
                    }
                });
            }
        }
    }

    /**
     * A direction that can't be opened, because it belongs to a connection that is over,
     * does not keep out the right one.
     */
    @Test
    void shouldTakeTheRightDirectionAfterOneThatCameTooLate() throws Exception {
        List<String> addresses = Ports.addresses(1);
        try (ServerSocket other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                Cluster cluster = new Cluster(
                        List.of(Ports.map(0, addresses).put(2, "127.0.0.1:" + other.getLocalPort())),
                        SameIdTest::configure)) {
            Thread connecting = Thread.ofPlatform().start(() -> {
                try {
                    cluster.node(0).connectNode(2);
                } catch (DXNetException e) {
                    throw new AssertionError(e);
                }
            });
            other.setSoTimeout(10_000);
            try (Socket accepted = other.accept();
                    RawPeer late = new RawPeer(Ports.resolved(addresses.get(0)));
                    RawPeer right = new RawPeer(Ports.resolved(addresses.get(0)))) {
                DXNetConfig config = configure(DXNetConfig.builder()).build();
                int helloBytes = NioHello.of(config, 0, 2, 1, 1, 0).encode().remaining();
                byte[] hello = accepted.getInputStream().readNBytes(helloBytes);
                long id = Hello.decode(ByteBuffer.wrap(hello).order(ByteOrder.LITTLE_ENDIAN))
                        .connectionId();
                accepted.getOutputStream()
                        .write(Reply.accepting(77, 5, PairedOpening.NO_PAYLOAD)
                                .encode()
                                .array());
                connecting.join();
                assertThat(late.write(NioHello.of(config, 2, 0, 77, 4, 0).encode())
                                .answer(from -> Reply.read(from::readFully))
                                .reason())
                        .isEqualTo("that connection has ended");
                assertThat(right.write(NioHello.of(config, 2, 0, 77, 5, id).encode())
                                .answer(from -> Reply.read(from::readFully))
                                .accepted())
                        .isTrue();
            }
        }
    }
}
