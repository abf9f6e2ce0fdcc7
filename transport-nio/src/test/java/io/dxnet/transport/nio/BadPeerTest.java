package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.NodeThreads;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.contract.TestMessages.Ping;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A peer that does its handshake well and then sends what no node sends: it alone loses its
 * connection, with the reason. Node 1 streams verified messages to node 0 all the time, node 0 is
 * also the victim of node 2, which is the bad one.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class BadPeerTest {
    private static final int BAD = 2;
    private static final int MAX_BYTES = 4 << 20;
    private static final int MIB = 1 << 20;

    private List<String> addresses;
    private Cluster cluster;
    private DXNet victim;
    private Receiver receiver;
    private NodeThreads threads;

    private static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio")
                .maxMessageBytes(MAX_BYTES)
                .ringBytes(256 << 10)
                .smallBuffers(8)
                .mediumBuffers(2)
                .largeBuffers(1);
    }

    @BeforeEach
    void start() {
        addresses = Ports.addresses(3);
        cluster = new Cluster(List.of(Ports.map(0, addresses), Ports.map(1, addresses)), BadPeerTest::configure);
        victim = cluster.node(0);
        receiver = Receiver.on(victim);
        threads = NodeThreads.of(victim, cluster.node(1));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** What the bad one sends, and the reason that is reported at the end of its connection. */
    private enum Fault {
        TRUNCATED_HEADER(header(0, TestMessages.DATA, 100), 5, Disconnect.Reason.LOST, ""),
        NEGATIVE_LENGTH(
                header(0, TestMessages.DATA, -1), 10, Disconnect.Reason.PROTOCOL_ERROR, "announces -1 payload bytes"),
        MOST_NEGATIVE_LENGTH(
                header(0, TestMessages.DATA, Integer.MIN_VALUE),
                10,
                Disconnect.Reason.PROTOCOL_ERROR,
                "announces -2147483648 payload bytes"),
        HUGE_LENGTH(
                header(0, TestMessages.DATA, Integer.MAX_VALUE),
                10,
                Disconnect.Reason.PROTOCOL_ERROR,
                "announces 2147483647 payload bytes; 0 to 4194304 are allowed (maxMessageBytes)"),
        ONE_BYTE_TOO_LONG(
                header(0, TestMessages.DATA, MAX_BYTES + 1),
                10,
                Disconnect.Reason.PROTOCOL_ERROR,
                "announces 4194305 payload bytes"),
        STREAMED_WITHOUT_TRAILER(
                header(0x40, TestMessages.DATA, 0), 10, Disconnect.Reason.PROTOCOL_ERROR, "announces 0 payload bytes"),
        UNKNOWN_CONTROL(header(0x08, TestMessages.DATA, 4), 14, Disconnect.Reason.PROTOCOL_ERROR, "control byte 0x8"),
        EXCLUSIVE_BARRIER(
                header(0x87, TestMessages.DATA, 0), 10, Disconnect.Reason.PROTOCOL_ERROR, "control byte 0x87"),
        PAYLOAD_OF_A_GOODBYE(
                header(0x05, TestMessages.DATA, 4), 14, Disconnect.Reason.PROTOCOL_ERROR, "announces 4 payload bytes"),
        FAILURE_OF_NO_RESPONSE(
                header(0x21, TestMessages.PING, 4), 14, Disconnect.Reason.PROTOCOL_ERROR, "control byte 0x21"),
        HALF_A_MESSAGE(header(0, TestMessages.DATA, MIB), 10 + MIB / 2, Disconnect.Reason.LOST, "");

        private final byte[] bytes;
        private final Disconnect.Reason reason;
        private final String detail;

        Fault(byte[] header, int bytes, Disconnect.Reason reason, String detail) {
            this.bytes = java.util.Arrays.copyOf(header, bytes);
            this.reason = reason;
            this.detail = detail;
        }
    }

    private static byte[] header(int control, int subtype, int length) {
        return ByteBuffer.allocate(10)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(control << 24)
                .put((byte) TestMessages.TYPE)
                .put((byte) subtype)
                .putInt(length)
                .array();
    }

    private RawPeer connectBad() throws IOException {
        RawPeer bad = new RawPeer(Ports.resolved(addresses.get(victim.nodeId())));
        Hello hello = NioHello.of(
                configure(DXNetConfig.builder()).build(), BAD, victim.nodeId(), System.nanoTime() | 1, 1, 0);
        assertThat(bad.write(hello.encode())
                        .answer(from -> Reply.read(from::readFully))
                        .accepted())
                .isTrue();
        return bad;
    }

    private Disconnect awaitEnd() {
        Cluster.await("the end of the bad connection", () -> cluster.end(0, BAD) != null);
        return cluster.end(0, BAD);
    }

    /** One good message first, so that the connection is one like others. */
    private static void sendGood(RawPeer bad) throws IOException {
        byte[] payload = Data.payload(0, 0, 16);
        bad.write(ByteBuffer.allocate(10 + 22)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(header(0, TestMessages.DATA, 22))
                .putInt(0) // thread
                .put((byte) 0) // compact sequence
                .put((byte) 32) // compact length: zigzag of 16
                .put(payload)
                .array());
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void shouldEndThatConnectionAlone(Fault fault) throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500);
                RawPeer bad = connectBad()) {
            sendGood(bad);
            receiver.awaitCount(BAD, 0, 1);
            bad.write(fault.bytes);
            good.awaitProgress();
            if (fault.reason == Disconnect.Reason.LOST) {
                long half = fault.bytes.length;
                Cluster.await(
                        "all of the half",
                        () -> victim.statistics().connections().stream()
                                .anyMatch(c -> c.nodeId() == BAD && c.bytesReceived() >= half));
                assertThat(cluster.end(0, BAD)).as("silence is no fault").isNull();
                good.awaitProgress();
                bad.reset();
            } else {
                assertThat(bad.isCutOff()).isTrue();
            }
            Disconnect end = awaitEnd();
            assertThat(end.reason()).isEqualTo(fault.reason);
            assertThat(end.detail()).contains(fault.detail);
            good.awaitProgress();
        }
        assertGood();
    }

    /** The other end than a reset: the peer hangs up in the middle. */
    @Test
    void shouldReportTheLossWhenAPeerHangsUpInAHeader() throws Exception {
        try (GoodStream good = new GoodStream(cluster.node(1), 0, receiver, 500);
                RawPeer bad = connectBad()) {
            bad.write(Fault.TRUNCATED_HEADER.bytes).hangUp();
            assertThat(awaitEnd().reason()).isEqualTo(Disconnect.Reason.LOST);
            good.awaitProgress();
        }
        assertGood();
    }

    /** Bytes that come one by one are no fault, wherever they are cut. */
    @Test
    void shouldTakeAMessageThatComesByteByByte() throws Exception {
        try (RawPeer bad = connectBad()) {
            for (int i = 0; i < 20; i++) {
                byte[] header = header(0, TestMessages.DATA, 6);
                for (byte b : header) {
                    bad.write(new byte[] {b});
                }
                for (byte b : new byte[] {0, 0, 0, 0, (byte) (2 * i), 0}) {
                    bad.write(new byte[] {b});
                }
            }
            receiver.awaitCount(BAD, 0, 20);
        }
        assertThat(awaitEnd().reason()).isEqualTo(Disconnect.Reason.LOST);
        assertGood();
    }

    /** A half message does not hold up the end of the node either. */
    @Test
    void shouldCloseInTimeWhenAPeerIsSilentInTheMiddleOfAMessage() throws Exception {
        cluster.close();
        cluster = new Cluster(
                List.of(Ports.map(0, addresses)), builder -> configure(builder).closeTimeoutMs(300));
        victim = cluster.node(0);
        try (RawPeer bad = connectBad()) {
            bad.write(Fault.HALF_A_MESSAGE.bytes);
            Cluster.await("half a message", () -> victim.statistics().buffersInUse() > 0);
            long startNs = System.nanoTime();
            victim.close();
            assertThat(System.nanoTime() - startNs).isLessThan(TimeUnit.SECONDS.toNanos(20));
            assertThat(bad.isCutOff()).isTrue();
        }
    }

    /** No thread died, no buffer is missing, and the bad one's place is free for a good one. */
    private void assertGood() throws Exception {
        cluster.awaitQuiet();
        threads.assertAlive();
        NodeMap map = Ports.map(BAD, addresses);
        try (Cluster other = new Cluster(List.of(map), BadPeerTest::configure)) {
            DXNet good = other.node(0);
            assertThat(good.sendSync(new Ping(0, "good", 10), Duration.ofSeconds(30)).text)
                    .isEqualTo("good");
            assertThat(victim.sendSync(new Ping(BAD, "well", MIB), Duration.ofSeconds(30)).payload)
                    .hasSize(MIB);
            good.sendMessage(new Data(0, 1, 0, 1000));
            receiver.awaitCount(BAD, 1, 1);
        }
        assertThat(cluster.failures).isEmpty();
        cluster.awaitQuiet();
        threads.assertAlive();
    }
}
