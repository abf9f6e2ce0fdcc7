package io.dxnet.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.Disconnect;
import io.dxnet.NodeMap;
import io.dxnet.ThreadingLayout;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.GoodStream;
import io.dxnet.contract.Ports;
import io.dxnet.contract.RawPeer;
import io.dxnet.contract.ReceiveMemoryContract;
import io.dxnet.contract.Receiver;
import io.dxnet.contract.TestMessages;
import io.dxnet.contract.TestMessages.Data;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Receive memory on TCP, also with peers that break the protocol. */
class ReceiveMemoryTest extends ReceiveMemoryContract {
    private static final int MIB = 1 << 20;
    private static final int HEADER = 10;

    private final List<String> addresses = Ports.addresses(4);
    private final List<Cluster> clusters = new ArrayList<>();

    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio");
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }

    @AfterEach
    void stop() {
        clusters.forEach(Cluster::close);
    }

    private Cluster start(int node, UnaryOperator<DXNetConfig.Builder> settings) {
        Cluster cluster = new Cluster(
                List.of(Ports.map(node, addresses)),
                builder -> settings.apply(configure(builder).ringBytes(256 << 10)));
        clusters.add(cluster);
        return cluster;
    }

    private RawPeer connectRaw(int node, DXNet to) throws IOException {
        RawPeer peer = new RawPeer(Ports.resolved(addresses.get(to.nodeId())));
        Hello hello = NioHello.of(
                DXNetConfig.builder().transport("nio").build(), node, to.nodeId(), System.nanoTime() | 1, 1, 0);
        assertThat(peer.write(hello.encode())
                        .answer(from -> Reply.read(from::readFully))
                        .accepted())
                .isTrue();
        return peer;
    }

    private static byte[] header(int length) {
        return ByteBuffer.allocate(HEADER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(0)
                .put((byte) TestMessages.TYPE)
                .put((byte) TestMessages.DATA)
                .putInt(length)
                .array();
    }

    /**
     * It announces much and sends one byte per segment: that costs a buffer, not a buffer per byte.
     */
    @ParameterizedTest
    @EnumSource(
            value = ThreadingLayout.class,
            names = {"FUSED", "DEDICATED"})
    void shouldKeepFewBuffersForAMessageThatComesByteByByte(ThreadingLayout layout) throws Exception {
        Cluster victim = start(0, b -> b.threadingLayout(layout).incomingBytesMax(8 * MIB));
        DXNet net = victim.node(0);
        Receiver receiver = Receiver.on(net);
        Cluster good = start(1, b -> b);
        int count = 1000; // a buffer each would be twice the memory
        try (GoodStream stream = new GoodStream(good.node(0), 0, receiver, 500);
                RawPeer bad = connectRaw(2, net)) {
            bad.write(header(4 * MIB));
            for (int i = 1; i <= count; i++) {
                bad.write(new byte[1]);
                awaitReceived(net, 2, HEADER + i);
            }
            stream.awaitProgress();
        }
        try (RawPeer bad = connectRaw(3, net)) {
            bad.write(header(4 * MIB));
            for (int i = 1; i <= 100; i++) {
                bad.write(new byte[1]);
                awaitReceived(net, 3, HEADER + i);
            }
            Cluster.await(
                    "one buffer, with the coordinator done",
                    () -> net.statistics().incomingQueueBytes() == 0
                            && net.statistics().buffersInUse() == 1);
        }
    }

    /** Half a message fills the memory and stands still; others wait for it, but not for ever. */
    @Test
    void shouldEndTheConnectionWhoseMessageStandsStillWhileOthersWait() throws Exception {
        int bytes = 4 * MIB;
        int half = bytes - 1000;
        Cluster victim =
                start(0, b -> b.maxMessageBytes(bytes).incomingBytesMax(6 * MIB).sendTimeoutMs(2000));
        DXNet net = victim.node(0);
        Receiver receiver = Receiver.on(net);
        DXNet good = start(1, b -> b.sendTimeoutMs(60_000)).node(0);
        try (RawPeer bad = connectRaw(2, net)) {
            bad.write(header(bytes)).write(new byte[half]);
            awaitReceived(net, 2, HEADER + half);
            assertThat(victim.end(0, 2)).isNull();
            good.sendMessage(new Data(0, 0, 0, bytes / 2));
            receiver.awaitCount(1, 0, 1);
            assertThat(bad.isCutOff()).isTrue();
        }
        Cluster.await("the end", () -> victim.end(0, 2) != null);
        Disconnect end = victim.end(0, 2);
        assertThat(end.reason()).isEqualTo(Disconnect.Reason.STALLED);
        assertThat(end.detail())
                .contains(
                        "node 2 sent " + half + " bytes of a message of " + bytes + " bytes",
                        "sendTimeoutMs",
                        "incomingBytesMax=" + 6 * MIB);
        victim.awaitQuiet();
    }
}
