package io.dxnet.softhca;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.softhca.capture.CaptureReader;
import io.dxnet.softhca.capture.Frame;
import io.dxnet.softhca.capture.FrameDecoder;
import io.dxnet.softhca.roce.Icrc;
import io.dxnet.softhca.roce.Opcode;
import io.dxnet.softhca.roce.Packet;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Devices at addresses of the loopback network, which send real packets to each other. */
class WireTest {
    private static final int PORT = 4791;

    /** A network of this process alone, so that several builds can run on one machine. */
    private static final int NETWORK =
            127 << 24 | (int) (1 + ProcessHandle.current().pid() % 65_000) << 8;

    /** Packets of strangers; a run by hand asks for more. */
    private static final long STRANGERS_PACKETS = Long.getLong("dxnet.test.strangersPackets", 20_000);

    /** Seven times a quarter of a second: machines that build are busy. */
    private static final Node.Tuning PATIENT = new Node.Tuning(16, 6, 7, 12);

    private Pair pair;

    private static String device(int last) {
        return "soft@127." + (NETWORK >> 16 & 0xff) + "." + (NETWORK >> 8 & 0xff) + "." + last;
    }

    private static InetSocketAddress socketAddress(int address) {
        return new InetSocketAddress(WireAddress.inetAddress(address), PORT);
    }

    @BeforeEach
    void open() {
        pair = new Pair(device(2), device(3), false, PATIENT);
    }

    @AfterEach
    void close() {
        pair.close();
    }

    private void exchange(int messages, long bytes) {
        for (int i = 0; i < messages; i++) {
            pair.receive(i, 0, bytes);
            pair.send(100 + i, bytes);
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isZero();
            assertThat(pair.b.awaitOne(pair.recvCqB).status()).isZero();
            pair.assertSame(0, 0, bytes);
            Memory.clear(pair.bufferB, bytes);
        }
    }

    @Test
    void shouldDeliverExactlyWhenPacketsAreLostDoubledAndOvertaken() {
        pair.a.faults.play("duplicate", "10");
        pair.a.faults.lose(0.02, 5);
        pair.b.faults.lose(0.02, 6);
        exchange(50, 20_000);
    }

    /** A message that is received and not yet acknowledged. */
    private SoftQueuePair receiveUnanswered(boolean isRequested) {
        pair.receive(1, 0, 8);
        pair.a.faults.cutLink(true);
        pair.send(2, 8);
        // The packet by another way.
        SoftQueuePair receiver = SoftQueuePair.withNumber(Node.number(pair.qpB));
        Packet packet = new Packet();
        packet.begin(Opcode.SEND_ONLY, false, Node.number(pair.qpB), isRequested, 0);
        packet.setPayload(8);
        receiver.wire().receive(packet, NETWORK | 2);
        assertThat(pair.b.awaitOne(pair.recvCqB).status()).isZero();
        return receiver;
    }

    @Test
    void shouldAcknowledgeWhatTheApplicationHasWhenTheQueuePairIsDestroyedAtOnce() {
        receiveUnanswered(false);
        assertThat(C.status("ibv_destroy_qp", pair.qpB)).isZero();
        assertThat(pair.a.awaitOne(pair.sendCqA).status()).isZero();
    }

    @Test
    void shouldAcknowledgeWhatTheApplicationHasWhenARequestOfItsOwnFails() {
        SoftQueuePair receiver = receiveUnanswered(false);
        receiver.sends().lock().lock();
        try {
            receiver.requestFailed();
        } finally {
            receiver.sends().unlock();
        }
        Fabric.runDeferred();
        assertThat(pair.a.awaitOne(pair.sendCqA).status()).isZero();
    }

    /** Else its place in the queue would be lost, of a shared one for all queue pairs. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFlushAReceiveOfWhoseMessageAPartHasCome(boolean isShared) {
        pair.close();
        pair = new Pair(device(2), device(3), isShared, PATIENT);
        pair.receive(1, 0, 8192);
        SoftQueuePair receiver = SoftQueuePair.withNumber(Node.number(pair.qpB));
        int mtu = 128 << receiver.attributes().pathMtu();
        Packet packet = new Packet();
        packet.begin(Opcode.SEND_FIRST, false, Node.number(pair.qpB), false, 0);
        packet.setPayload(mtu);
        receiver.wire().receive(packet, NETWORK | 2);
        assertThat(pair.b.poll(pair.recvCqB, 1)).isEmpty();
        assertThat(pair.b.toState(pair.qpB, Ibv.IBV_QPS_ERR)).isZero();
        Wc flushed = pair.b.awaitOne(pair.recvCqB);
        assertThat(flushed.wrId()).isEqualTo(1);
        assertThat(flushed.status()).isEqualTo(Ibv.IBV_WC_WR_FLUSH_ERR);
        assertThat(pair.b.poll(pair.recvCqB, 1)).isEmpty();
    }

    @Test
    void shouldAcknowledgeWithTheAnswerOfTheApplication() {
        pair.close();
        // One timeout of 4 s, and no second attempt.
        pair = new Pair(device(2), device(3), false, new Node.Tuning(20, 0, 7, 12));
        Node.postRecv(pair.qpA, pair.a.recv(1, pair.bufferA, 8, pair.keyA), 0);
        receiveUnanswered(true);
        // Nothing else sends an acknowledgement: the thread that received does not know the packet.
        Node.postSend(pair.qpB, pair.b.signaled(3, pair.bufferB, 8, pair.keyB), 0);
        assertThat(pair.a.awaitOne(pair.recvCqA).status()).isZero();
        assertThat(pair.a.awaitOne(pair.sendCqA).status()).isZero();
    }

    /** A thread that receives does not wait for one that posts: that one processes what came. */
    @Test
    void shouldProcessAnAcknowledgementThatCameWhileAnotherThreadPosts() {
        pair.a.faults.cutLink(true);
        pair.send(2, 8);
        SendQueue sends = SoftQueuePair.withNumber(Node.number(pair.qpA)).sends();
        Packet ack = new Packet();
        ack.begin(Opcode.ACKNOWLEDGE, false, Node.number(pair.qpA), false, 0);
        ack.bytes().putInt(12, 0x1f00_0001);
        long waitedBefore;
        sends.lock().lock();
        try {
            // This thread holds what these calls would wait for; one is of a stranger.
            sends.wire().receive(ack, NETWORK | 3, System.nanoTime());
            sends.wire().receive(ack, NETWORK | 9, System.nanoTime());
            waitedBefore = sends.waiting();
        } finally {
            sends.unlock();
        }
        assertThat(waitedBefore).isEqualTo(1);
        assertThat(sends.waiting()).isZero();
        assertThat(pair.a.awaitOne(pair.sendCqA).status()).isZero();
    }

    /** The last poll that found something may be the last one at all. */
    @Test
    void shouldAcknowledgeWhatAPollReceivedWhenTheApplicationPollsNoMore() {
        pair.close();
        // One timeout of 4 s, and no second attempt, which would be answered in any case.
        pair = new Pair(device(2), device(3), false, new Node.Tuning(20, 0, 7, 12));
        for (int i = 0; i < 20; i++) {
            pair.receive(1, 0, 8);
            pair.send(2, 8);
            assertThat(pair.b.awaitOne(pair.recvCqB).status()).isZero();
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isZero();
        }
    }

    @Test
    void shouldProcessWhatArrivedBeforeItFailsWhenItWasSlow() throws Exception {
        pair.close();
        // One timeout of 4 ms, and no second attempt.
        pair = new Pair(device(2), device(3), false, new Node.Tuning(10, 0, 7, 12));
        pair.receive(1, 0, 8);
        try (Pair other = new Pair(device(3), device(2), false, PATIENT);
                DatagramChannel stranger = DatagramChannel.open(StandardProtocolFamily.INET)) {
            other.receive(1, 0, 8);
            SoftQueuePair stopping = SoftQueuePair.withNumber(Node.number(other.qpB));
            stopping.responder().lock().lock();
            try {
                // Stops at the lock the thread that receives.
                other.send(2, 8);
                for (int i = 0; i < 200; i++) {
                    stranger.send(ByteBuffer.allocate(64), socketAddress(NETWORK | 2));
                }
                pair.send(2, 8);
                long due = System.nanoTime() + 5_000_000;
                assertThat(pair.b.awaitOne(pair.recvCqB).status()).isZero();
                // After this the answer has been sent, and lies behind the stranger's packets.
                assertThat(C.status("ibv_destroy_qp", pair.qpB)).isZero();
                while (System.nanoTime() < due) {
                    Thread.onSpinWait();
                }
            } finally {
                stopping.responder().lock().unlock();
            }
            assertThat(pair.a.awaitOne(pair.sendCqA).status()).isZero();
        }
    }

    @Test
    void shouldWriteItsPacketsToAFileWhenAFolderIsNamed(@TempDir Path folder) throws Exception {
        pair.close();
        System.setProperty(WireCapture.FOLDER, folder.toString());
        try {
            open();
        } finally {
            System.clearProperty(WireCapture.FOLDER);
        }
        exchange(1, 2000);
        pair.close();
        open();
        List<String> lines = new ArrayList<>();
        FrameDecoder decoder = new FrameDecoder();
        try (InputStream file = Files.newInputStream(folder.resolve(device(2) + ".pcap"))) {
            CaptureReader reader = CaptureReader.open(file);
            for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
                assertThat(decoder.decode(frame)).isEqualTo(FrameDecoder.Outcome.ROCE);
                lines.add(decoder.line());
            }
        }
        assertThat(lines).hasSizeGreaterThanOrEqualTo(3).allMatch(line -> line.contains("icrc right"));
        assertThat(lines.get(0)).contains("SEND first, qp ").contains(", psn 0, 1024 bytes");
        assertThat(lines.get(1)).contains("SEND last, qp ").contains(", psn 1, 976 bytes, wants ack");
        assertThat(lines).anyMatch(line -> line.contains("  ACK, qp ") && line.contains("psn 1, msn 1"));
    }

    @Test
    void shouldUseTheAddressForOneProcessAlone() throws Exception {
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.bind(socketAddress(NETWORK | 4));
            SoftFaults.of(device(4));
            assertThat(Node.open(device(4))).as("a context").isZero();
        }
    }

    @Test
    void shouldNotBeHarmedWhenStrangersSendPackets() throws Exception {
        exchange(1, 64);
        Random random = new Random(17);
        Packet packet = new Packet();
        Icrc icrc = new Icrc();
        try (DatagramChannel stranger = DatagramChannel.open(StandardProtocolFamily.INET);
                DatagramChannel neighbour = DatagramChannel.open(StandardProtocolFamily.INET)) {
            stranger.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            stranger.bind(socketAddress(NETWORK | 9));
            // On the peer's machine, and so with its address.
            neighbour.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            neighbour.bind(new InetSocketAddress(WireAddress.inetAddress(NETWORK | 2), 0));
            for (long i = 0; i < STRANGERS_PACKETS; i++) {
                if (i % 1000 == 0) {
                    exchange(1, 5000);
                }
                boolean isNeighbour = random.nextInt(4) == 0;
                int length = forge(packet, random);
                if (random.nextInt(4) == 0) {
                    sendWithWrongNumber(packet, random);
                    continue;
                }
                icrc.seal(packet.bytes(), length, NETWORK | (isNeighbour ? 2 : 9), NETWORK | 3, 0);
                if (isNeighbour || random.nextBoolean()) {
                    int bit = random.nextInt(8 * length);
                    packet.bytes().put(bit / 8, (byte) (packet.bytes().get(bit / 8) ^ 1 << bit % 8));
                    // The fifth byte is not covered by the sum.
                    packet.bytes().put(4, (byte) 0);
                }
                packet.bytes().limit(length + Packet.CHECK_BYTES).position(0);
                (isNeighbour ? neighbour : stranger).send(packet.bytes(), socketAddress(NETWORK | 3));
                packet.bytes().clear();
            }
        }
        exchange(10, 5000);
        assertThat(Pair.state(pair.qpA)).isEqualTo(Ibv.IBV_QPS_RTS);
        assertThat(Pair.state(pair.qpB)).isEqualTo(Ibv.IBV_QPS_RTS);
    }

    /**
     * A packet as if from the peer, with a right check sum, whose sequence number is far from all
     * that are under way: an answer to A, or a request to B.
     */
    private void sendWithWrongNumber(Packet packet, Random random) {
        int far = (1 << 20) + random.nextInt((1 << 24) - (1 << 21));
        packet.bytes().putInt(8, packet.bytes().getInt(8) & 0xff00_0000 | far);
        if (Opcode.isResponse(packet.opcode())) {
            WireSends sends =
                    SoftQueuePair.withNumber(Node.number(pair.qpA)).sends().wire();
            sends.receive(packet, NETWORK | 3, System.nanoTime());
        } else {
            WireReceives receives =
                    SoftQueuePair.withNumber(Node.number(pair.qpB)).wire();
            receives.receive(packet, NETWORK | 2);
            receives.answer();
        }
    }

    /** A packet with random bytes behind a header that is right as far as a stranger can know. */
    private int forge(Packet packet, Random random) {
        int qp = Memory.getInt(pair.qpB + 52);
        int opcode = random.nextInt(Opcode.FETCH_ADD + 1);
        packet.begin(opcode, random.nextBoolean(), qp, random.nextBoolean(), random.nextInt(1 << 24));
        for (int at = 12; at < packet.length(); at++) {
            packet.bytes().put(at, (byte) random.nextInt());
        }
        if (Opcode.hasPayload(opcode)) {
            packet.setPayload(random.nextInt(1025));
        }
        return packet.length();
    }
}
