package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeUnreachableException;
import io.dxnet.contract.RawPeer;
import io.dxnet.transport.Transport;
import io.dxnet.transport.connection.PairedOpening;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which handshakes are accepted, and what the two sides learn. */
@Timeout(60)
class NioHandshakeTest {
    private static final int VERSION_OFFSET = 8;
    private static final int CLUSTER_LENGTH_OFFSET = 52;
    private static final int TRANSPORT_LENGTH_OFFSET = 48;
    private static final int PAYLOAD_LENGTH_OFFSET = 50;
    private static final int HELLO_FIXED_BYTES = 56;

    private FakeNode node;

    @BeforeEach
    void start() {
        node = FakeNode.start(
                1,
                FakeNode.builder()
                        .transportOption("nio.handshakeTimeoutMs", "1000")
                        .transportOption("nio.handshakesMax", "8")
                        .build());
    }

    @AfterEach
    void stop() {
        node.close();
    }

    /**
     * With time: a connection that is replaced while its channel is still open
     * ends after a quarter of a second.
     */
    private void restartPatient() {
        node.close();
        node = FakeNode.start(
                1,
                FakeNode.builder()
                        .transportOption("nio.handshakeTimeoutMs", "1500")
                        .build());
    }

    private void shouldStillWork() throws Exception {
        try (FakeNode other = FakeNode.start(9)) {
            FakeConnection c = other.connect(node);
            Streams.send(other, c, 1000, 100, 1);
            Streams.awaitReceived(node.connection(9), 1000);
        }
    }

    private void shouldRefuse(DXNetConfig config, int ownId, int listenerId, String reason) {
        try (FakeNode other = FakeNode.start(ownId, config)) {
            assertThatThrownBy(() -> other.connect(listenerId, node.address()))
                    .isInstanceOf(NodeUnreachableException.class)
                    .hasMessageContaining("node " + listenerId + " at 127.0.0.1:")
                    .hasMessageContaining("refused")
                    .hasMessageContaining(reason);
            FakeConnection failed = other.connection(listenerId);
            assertThat(failed.releasedCount).hasValue(0);
            other.dispose(failed, Transport.Close.AT_ONCE);
            assertThat(FakeConnection.await(failed.released)).isTrue();
            other.transport().close(failed, Transport.Close.AT_ONCE);
            other.transport().close(failed, Transport.Close.IN_ORDER);
            assertThat(failed.releasedCount).hasValue(1);
        }
    }

    @Test
    void shouldRefuseWhoeverDoesNotFit() throws Exception {
        DXNetConfig.Builder b = FakeNode.builder();
        shouldRefuse(b.clusterName("other").build(), 2, 1, "it belongs to another cluster");
        shouldRefuse(FakeNode.builder().build(), 2, 3, "it is not node 3: check the node map");
        shouldRefuse(FakeNode.builder().build(), 1, 1, "two nodes have the same id");
        shouldRefuse(
                FakeNode.builder().flowControlWindowBytes(1 << 20).build(), 2, 1, "flowControlWindowBytes differs");
        shouldRefuse(
                FakeNode.builder().flowControlThresholdPercent(60).build(),
                2,
                1,
                "flowControlThresholdPercent differs");
        node.refuse = "node id 2 is in use";
        shouldRefuse(FakeNode.builder().build(), 2, 1, "node id 2 is in use");
        node.refuse = null;
        shouldStillWork();
    }

    @Test
    void shouldTellAnotherVersionWhatItSpeaks() throws Exception {
        ByteBuffer hello = hello(2, 7).encode();
        hello.putShort(VERSION_OFFSET, (short) 1);
        try (RawPeer peer = new RawPeer(node.address())) {
            Reply reply = peer.write(hello).answer(from -> Reply.read(from::readFully));
            assertThat(reply.accepted()).isFalse();
            assertThat(reply.reason()).isEqualTo("it speaks protocol version 1, this node version 4");
            assertThat(peer.isHungUp()).isTrue();
        }
        shouldStillWork();
    }

    @Test
    void shouldRefuseAnotherTransport() throws Exception {
        Hello hello = Hello.of(node.config(), "ib", 2, 1, 7, 1, 0, new byte[] {1, 2, 3});
        try (RawPeer peer = new RawPeer(node.address())) {
            Reply reply = peer.write(hello.encode()).answer(from -> Reply.read(from::readFully));
            assertThat(reply.accepted()).isFalse();
            assertThat(reply.reason()).isEqualTo("transport differs: it must be equal on all nodes");
            assertThat(peer.isHungUp()).isTrue();
        }
        shouldStillWork();
    }

    private Hello hello(int nodeId, long incarnation) {
        return hello(nodeId, incarnation, 1, 0);
    }

    private Hello hello(int nodeId, long incarnation, long connectionId, long listenerConnectionId) {
        return NioHello.of(node.config(), nodeId, 1, incarnation, connectionId, listenerConnectionId);
    }

    @Test
    void shouldHangUpOnGarbageWithoutAnAnswer() throws Exception {
        byte[][] garbage = {
            "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII),
            new byte[100_000],
            hello(2, 7).encode().putShort(CLUSTER_LENGTH_OFFSET, (short) 999).array(),
            hello(2, 7).encode().putShort(TRANSPORT_LENGTH_OFFSET, (short) 17).array(),
            hello(2, 7).encode().putShort(PAYLOAD_LENGTH_OFFSET, (short) 1025).array()
        };
        for (byte[] bytes : garbage) {
            try (RawPeer peer = new RawPeer(node.address())) {
                try {
                    peer.write(bytes);
                } catch (java.io.IOException e) {
                    // it hung up while we wrote
                }
                assertThat(peer.isHungUp()).isTrue();
            }
        }
        shouldStillWork();
    }

    @Test
    void shouldHangUpOnASilentPeerAndOnOneThatStopsInTheMiddle() throws Exception {
        try (RawPeer silent = new RawPeer(node.address());
                RawPeer half = new RawPeer(node.address())) {
            half.write(java.util.Arrays.copyOf(hello(2, 7).encode().array(), 20));
            shouldStillWork();
            long startNs = System.nanoTime();
            assertThat(silent.isHungUp()).isTrue();
            assertThat(half.isHungUp()).isTrue();
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(9));
        }
    }

    @Test
    void shouldSurviveEarlyHangUps() throws Exception {
        for (int bytes : new int[] {0, 1, 8, 9, 55, 56, 60}) {
            try (RawPeer peer = new RawPeer(node.address())) {
                peer.write(java.util.Arrays.copyOf(hello(2, 7).encode().array(), bytes));
            }
            RawPeer peer = new RawPeer(node.address());
            peer.write(java.util.Arrays.copyOf(hello(2, 7).encode().array(), bytes));
            peer.reset();
        }
        shouldStillWork();
    }

    @Test
    void shouldDropTheOldestOfTooManyHandshakes() throws Exception {
        List<RawPeer> peers = new ArrayList<>();
        try {
            for (int i = 0; i < 9; i++) {
                peers.add(new RawPeer(node.address()));
            }
            Reply reply = peers.get(0).answer(from -> Reply.read(from::readFully));
            assertThat(reply.accepted()).isFalse();
            assertThat(reply.reason()).isEqualTo("too many handshakes at once");
            shouldStillWork();
        } finally {
            for (RawPeer peer : peers) {
                peer.close();
            }
        }
    }

    @Test
    void shouldAcceptAHelloThatComesByteByByteAndTheDataRightAfterIt() throws Exception {
        try (RawPeer peer = new RawPeer(node.address())) {
            for (byte b : hello(2, 7).encode().array()) {
                peer.write(new byte[] {b});
            }
            Reply reply = peer.answer(from -> Reply.read(from::readFully));
            assertThat(reply.accepted()).isTrue();
            assertThat(reply.incarnation()).isEqualTo(node.incarnation());
            assertThat(reply.connectionId()).isEqualTo(1);
            assertThat(reply.reason()).isEmpty();
            assertThat(reply.payload()).isEmpty();
            FakeConnection c = node.connection(2);
            peer.write(stream(2, 1, 0, 5000));
            Streams.awaitReceived(c, 5000);
            c.confirm(300);
            assertThat(peer.read() + peer.read()).isEqualTo(300);
            peer.hangUp();
            assertThat(FakeConnection.await(c.lost)).isTrue();
            assertThat(c.lostDetail).contains("closed the connection");
        }
    }

    static byte[] stream(int from, int to, int start, int bytes) {
        byte[] result = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            result[i] = FakeConnection.expected(from * 65536L + to + 1, start + i);
        }
        return result;
    }

    @Test
    void shouldRefuseAHelloOfAConnectionThatIsOver() throws Exception {
        FakeConnection first;
        try (RawPeer peer = new RawPeer(node.address())) {
            assertThat(peer.write(hello(2, 7).encode())
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
            first = node.connection(2);
        }
        assertThat(FakeConnection.await(first.released)).isTrue();
        try (RawPeer late = new RawPeer(node.address());
                RawPeer next = new RawPeer(node.address())) {
            assertThat(late.write(hello(2, 7).encode())
                            .answer(from -> Reply.read(from::readFully))
                            .status())
                    .isEqualTo(Reply.Status.STALE);
            assertThat(next.write(hello(2, 7, 2, 0).encode())
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
        }
    }

    @Test
    void shouldHandOverWhatWasReadBeforeTheEndOrTheReset() throws Exception {
        for (boolean reset : new boolean[] {false, true}) {
            RawPeer peer = new RawPeer(node.address());
            assertThat(peer.write(hello(2, 7, reset ? 2 : 1, 0).encode())
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
            FakeConnection c = node.connection(2);
            peer.write(stream(2, 1, 0, 100_000));
            if (reset) {
                Streams.awaitReceived(c, 100_000);
                peer.reset();
            } else {
                peer.close();
            }
            assertThat(FakeConnection.await(c.lost)).isTrue();
            Streams.awaitReceived(c, 100_000);
            assertThat(c.lostDetail).contains(reset ? "reset" : "closed");
            assertThat(FakeConnection.await(c.released)).isTrue();
            assertThat(c.lostCount).hasValue(1);
        }
    }

    @Test
    void shouldReplaceAConnectionThatThePeerHasForgotten() throws Exception {
        restartPatient();
        try (RawPeer first = new RawPeer(node.address());
                RawPeer second = new RawPeer(node.address());
                RawPeer third = new RawPeer(node.address())) {
            assertThat(first.write(hello(2, 7).encode())
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
            FakeConnection old = node.connection(2);
            second.write(hello(2, 7, 2, 0).encode());
            assertThat(old.lostCount).hasValue(0); // a hello by itself ends nothing
            first.reset();
            assertThat(second.answer(from -> Reply.read(from::readFully)).accepted())
                    .isTrue();
            assertThat(FakeConnection.await(old.lost)).isTrue();
            FakeConnection newer = node.connection(2);
            assertThat(newer).isNotSameAs(old);
            Reply reply = third.write(hello(2, 8).encode())
                    .answer(from -> Reply.read(from::readFully)); // another run, while this one is still there
            assertThat(reply.accepted()).isFalse();
            assertThat(reply.reason()).contains("node id 2 is in use by another running node");
            assertThat(newer.lostCount).hasValue(0);
            node.closeLost = false; // the engine does not get round to it
            try (RawPeer fourth = new RawPeer(node.address())) {
                reply = fourth.write(hello(2, 7, 3, 0).encode()).answer(from -> Reply.read(from::readFully));
                assertThat(reply.accepted()).isFalse();
                assertThat(reply.reason()).contains("has not ended yet");
            }
            node.closeLost = true;
            node.dispose(newer, Transport.Close.AT_ONCE);
        }
    }

    @Test
    void shouldNotPairADirectionWithAnotherConnection() throws Exception {
        node.close();
        node = FakeNode.start(1); // with time: a connection whose peer stays silent ends after a quarter of a second
        try (RawPeer late = new RawPeer(node.address());
                RawPeer other = new RawPeer(node.address());
                RawPeer paired = new RawPeer(node.address());
                FakeListener listener = new FakeListener(2)) {
            FakeConnection c = node.connect(2, listener.address()); // the listener has incarnation 77, connection 1
            Reply reply = late.write(hello(2, 77, 1, 999).encode()).answer(from -> Reply.read(from::readFully));
            assertThat(reply.accepted()).isFalse();
            assertThat(reply.reason()).isEqualTo("that connection has ended");
            assertThat(paired.write(hello(2, 77, 1, 1).encode())
                            .answer(from -> Reply.read(from::readFully))
                            .accepted())
                    .isTrue();
            assertThat(c.lostCount).hasValue(0);
            other.write(hello(2, 77, 2, 0).encode());
            paired.reset();
            listener.socket().close();
            assertThat(other.answer(from -> Reply.read(from::readFully)).accepted())
                    .isTrue();
            assertThat(FakeConnection.await(c.lost)).isTrue();
            assertThat(node.connection(2)).isNotSameAs(c);
        }
    }

    @Test
    void shouldAskTheEngineAgainWhenARefusalIsTemporary() throws Exception {
        node.refusals.set(3);
        node.refuse = "in a moment";
        try (FakeNode other = FakeNode.start(9)) {
            assertThatThrownBy(() -> other.connect(node)).hasMessageContaining("in a moment");
            node.refusals.set(Integer.MAX_VALUE);
            Thread changing = new Thread(() -> {
                Streams.until("asked a few times", () -> node.refusals.get() < Integer.MAX_VALUE - 3);
                node.refuse = null;
            });
            changing.start();
            other.connect(node);
            changing.join();
        }
    }

    @Test
    void shouldNotCountHandshakesThatAreDone() throws Exception {
        List<FakeNode> others = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                others.add(FakeNode.start(10 + i));
            }
            List<Thread> threads = new ArrayList<>();
            for (FakeNode other : others) {
                threads.add(new Thread(() -> {
                    try {
                        Streams.send(other, other.connect(node), 10_000, 100, 1);
                    } catch (Exception e) {
                        other.errors.add(e.toString());
                    }
                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            for (FakeNode other : others) {
                assertThat(other.errors).isEmpty();
                Streams.awaitReceived(node.connection(other.nodeId()), 10_000);
            }
        } finally {
            others.forEach(FakeNode::close);
        }
    }

    @Test
    void shouldReadSignalsThatAreCutBetweenTheirTwoBytes() throws Exception {
        try (FakeListener listener = new FakeListener(2)) {
            FakeConnection c = node.connect(2, listener.address());
            listener.socket().getOutputStream().write(new byte[] {3, 0});
            Streams.until("steps", () -> c.fcReceived.get() == 3);
            listener.socket().getOutputStream().write(new byte[] {5, 2, 0, 8});
            Streams.until("signals", () -> c.signalsReceived.get() == (5 | 8));
            assertThat(c.fcReceived).hasValue(5);
            assertThat(c.lostCount).hasValue(0);
        }
    }

    @Test
    void shouldSayWhyANodeIsUnreachable() throws Exception {
        assertThatThrownBy(() -> node.connect(2, null))
                .isInstanceOf(NodeUnreachableException.class)
                .hasMessage("node 2 has no address in the node map");
        int freePort;
        try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            freePort = unused.getLocalPort();
        }
        shouldFail(new InetSocketAddress("127.0.0.1", freePort), "Connection refused");
        shouldFail(InetSocketAddress.createUnresolved("127.0.0.1", freePort), "Connection refused");
        shouldFail(InetSocketAddress.createUnresolved("no-such-host.invalid", 1), "name");
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            shouldFail(silent.getLocalSocketAddress(), "did not answer in time", 1500);
        }
        try (FakeListener rude = new FakeListener(2).answering(new byte[0])) {
            shouldFail(rude.address(), "hung up in the handshake");
        }
        try (FakeListener http = new FakeListener(2).answering("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes())) {
            shouldFail(http.address(), "does not answer as a DXNet node does");
        }
    }

    private void shouldFail(java.net.SocketAddress address, String reason) {
        shouldFail(address, reason, 30_000);
    }

    private void shouldFail(java.net.SocketAddress address, String reason, int timeoutMs) {
        FakeConnection c = FakeConnection.create(node, 2);
        long startNs = System.nanoTime();
        assertThatThrownBy(() -> node.transport()
                        .connect(c, (InetSocketAddress) address, startNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs)))
                .isInstanceOf(NodeUnreachableException.class)
                .hasMessageContaining(reason);
        assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.MILLISECONDS.toNanos(timeoutMs + 8000));
        node.transport().close(c, Transport.Close.AT_ONCE);
        assertThat(FakeConnection.await(c.released)).isTrue();
    }

    /** A listener that answers every hello in its own way. */
    private static final class FakeListener implements AutoCloseable {
        private final ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        private final java.util.concurrent.CompletableFuture<Socket> accepted =
                new java.util.concurrent.CompletableFuture<>();
        private byte[] answer =
                Reply.accepting(77, 1, PairedOpening.NO_PAYLOAD).encode().array();
        private boolean hangUp;

        FakeListener(int nodeId) throws java.io.IOException {
            Thread thread = new Thread(this::run, "fake-listener-" + nodeId);
            thread.setDaemon(true);
            thread.start();
        }

        FakeListener answering(byte[] bytes) {
            answer = bytes;
            hangUp = true;
            return this;
        }

        private void run() {
            try {
                Socket socket = server.accept();
                socket.getInputStream().readNBytes(HELLO_FIXED_BYTES + "dxnet".length() + "nio".length());
                socket.getOutputStream().write(answer);
                accepted.complete(socket);
                if (hangUp) {
                    socket.close();
                }
            } catch (java.io.IOException e) {
                accepted.completeExceptionally(e);
            }
        }

        Socket socket() throws Exception {
            return accepted.get(5, TimeUnit.SECONDS);
        }

        InetSocketAddress address() {
            return (InetSocketAddress) server.getLocalSocketAddress();
        }

        @Override
        public void close() throws java.io.IOException {
            server.close();
            if (accepted.isDone() && !accepted.isCompletedExceptionally()) {
                accepted.join().close();
            }
        }
    }
}
