package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.attack.Protection;
import io.dxnet.contract.Cluster;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Another process knows a queue pair's number and packet number, and sends a packet of RoCE v2 to
 * it from the other node's address. Without encryption, it is delivered. With it, nothing of it has
 * an effect, and the connection ends.
 *
 * <p>Runs on software devices that have addresses. In the testbed, {@code transport-ib/rxe
 * injection} runs it on the kernel's Soft-RoCE, where packets from the port
 * {@code -Ddxnet.ib.forgerPort} leave by a third node's interface.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InjectionTest {
    private static final int SENDER = 1;
    private static final int RECEIVER = 0;
    private static final int ROCE_PORT = 4791;
    private static final byte[] FORGED = "forged".getBytes(StandardCharsets.US_ASCII);
    /** The forger's UDP port; 0: any. */
    private static final int FORGER_PORT = Integer.getInteger("dxnet.ib.forgerPort", 0);

    private final List<NodeMap> maps = TestDevice.maps(2);
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private FakeEngine sender;
    private FakeEngine receiver;

    @BeforeEach
    void onDevicesThatTakePacketsFromSockets() {
        if (TestDevice.isByAddress()) {
            assumeTrue(Files.exists(Path.of("/run/rxe-testbed/guest")), "needs the Soft-RoCE testbed");
        } else {
            IbNodes.assumeSoftware();
        }
    }

    @AfterEach
    void close() {
        for (FakeEngine node : new FakeEngine[] {sender, receiver}) {
            if (node != null) {
                node.close();
            }
        }
    }

    private FakeEngine node(int id, Encryption encryption) {
        DXNetConfig.Builder settings = IbNodes.smallest(TestDevice.configure(DXNetConfig.builder()))
                .transportOption("ib.security", encryption.toString());
        if (!TestDevice.isByAddress()) {
            settings.transportOption("ib.device", WireDevices.device(id));
        }
        return FakeEngine.started(Protection.KEY.member(settings), maps.get(id));
    }

    /** Two nodes, and a message that the one has sent to the other. */
    private void connect(Encryption encryption) throws Exception {
        receiver = node(RECEIVER, encryption);
        sender = node(SENDER, encryption);
        receiver.onData = buffer -> {
            byte[] bytes = buffer.segment().asSlice(0, buffer.length()).toArray(ValueLayout.JAVA_BYTE);
            received.add(new String(bytes, StandardCharsets.US_ASCII));
        };
        sender.connect(receiver);
        sender.connection(RECEIVER).write(10);
        sender.transport.dataPosted(sender.connection(RECEIVER));
        await("a message", () -> !received.isEmpty());
    }

    private void await(String what, BooleanSupplier until) {
        Cluster.await(what, () -> {
            sender.cycle();
            receiver.cycle();
            return until.getAsBoolean();
        });
    }

    /** The next packet that the receiver's queue pair accepts, as its device checks it. */
    private byte[] forge(int port, int immediate, byte[] content) throws IOException {
        int pad = -content.length & 3;
        int length = 12 + 4 + content.length + pad;
        ByteBuffer packet = ByteBuffer.allocate(length + 4);
        int psn = sender.state(RECEIVER).info().address().psn()
                + receiver.state(SENDER).messages();
        packet.put((byte) 0x05) // send only, with immediate data
                .put((byte) (0x40 | pad << 4))
                .putShort((short) 0xFFFF)
                .putInt(receiver.state(SENDER).queuePairNumber())
                .putInt(1 << 31 | psn & 0xFF_FFFF)
                .putInt(immediate)
                .put(content);
        ByteBuffer covered = ByteBuffer.allocate(8 + 28 + length);
        covered.putLong(-1L)
                .putShort((short) 0x45FF)
                .putShort((short) (28 + length + 4))
                .putInt(0x4000) // identification 0, not to be fragmented
                .putInt(0xFF11_FFFF)
                .put(address(SENDER).getAddress().getAddress())
                .put(address(RECEIVER).getAddress().getAddress())
                .putShort((short) port)
                .putShort((short) ROCE_PORT)
                .putShort((short) (8 + length + 4))
                .putShort((short) -1)
                .put(packet.array(), 0, length)
                .put(8 + 28 + 4, (byte) -1);
        CRC32 check = new CRC32();
        check.update(covered.array());
        return packet.putInt(length, Integer.reverseBytes((int) check.getValue()))
                .array();
    }

    private InetSocketAddress address(int node) throws IOException {
        String host =
                TestDevice.isByAddress() ? maps.get(node).nodes().get(node).getHostString() : WireDevices.address(node);
        return new InetSocketAddress(InetAddress.getByName(host), ROCE_PORT);
    }

    /**
     * Sends the packet from a socket that any user may open. The packet's checksum covers the
     * identification of IPv4, which is 0 with this option while the socket is not connected.
     */
    private void inject(int immediate, byte[] content) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channel.bind(new InetSocketAddress(address(SENDER).getAddress(), FORGER_PORT));
            int port = ((InetSocketAddress) channel.getLocalAddress()).getPort(); // the device ignores which
            channel.send(ByteBuffer.wrap(forge(port, immediate, content)), address(RECEIVER));
        }
    }

    @Test
    void shouldDeliverForgedDataWithoutEncryption() throws Exception {
        connect(Encryption.NONE);
        inject(ImmediateData.of(SENDER, 0, 0), FORGED);
        await("the forged message", () -> received.contains("forged"));
        assertThat(receiver.lost).isEmpty();
    }

    @Test
    void shouldObeyForgedSignalsWithoutEncryption() throws Exception {
        connect(Encryption.NONE);
        inject(ImmediateData.of(SENDER, 0, 4), new byte[0]);
        await(
                "the forged signal",
                () -> receiver.connection(SENDER).signalsReceived.get() == 4);
    }

    private void assertRefused(int immediate, byte[] content) throws Exception {
        connect(Encryption.AES_GCM);
        FakeEngine.FakeConnection connection = receiver.connection(SENDER);
        inject(immediate, content);
        await("the end", () -> !receiver.lost.isEmpty());
        assertThat(receiver.lost).allMatch(why -> why.startsWith("security:") && why.contains("not authentic"));
        assertThat(received).hasSize(1);
        assertThat(connection.signalsReceived).hasValue(0);
        assertThat(receiver.transport.describe()).contains("aes-gcm (1 not authentic)");
    }

    @Test
    void shouldRefuseForgedData() throws Exception {
        assertRefused(ImmediateData.of(SENDER, 0, 0), FORGED);
    }

    @Test
    void shouldRefuseForgedDataThatIsLongerThanATag() throws Exception {
        assertRefused(ImmediateData.of(SENDER, 0, 0), new byte[1000]);
    }

    @Test
    void shouldRefuseForgedSignals() throws Exception {
        assertRefused(ImmediateData.of(SENDER, 1, 4), new byte[0]);
    }

    @Test
    void shouldRefuseTheIdOfAnotherNode() throws Exception {
        assertRefused(ImmediateData.of(SENDER + 1, 0, 0), FORGED);
    }
}
