package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.attack.Protection;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.Ports;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Another process of this host knows a queue pair's number and packet number, and sends a packet of
 * RoCE v2 to it from the other node's address. Without encryption, it is delivered. With it,
 * nothing of it has an effect, and the connection ends.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InjectionTest {
    private static final int SENDER = 1;
    private static final int RECEIVER = 0;
    private static final int ROCE_PORT = 4791;
    private static final byte[] FORGED = "forged".getBytes(StandardCharsets.US_ASCII);
    /** The network of this test's devices: another one for each process. */
    private static final String NETWORK =
            "127." + (64 + (ProcessHandle.current().pid() & 63)) + "."
                    + (ProcessHandle.current().pid() >> 6 & 255) + ".";

    private final List<String> addresses = Ports.addresses(2);
    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private FakeEngine sender;
    private FakeEngine receiver;

    @BeforeEach
    void software() {
        IbNodes.assumeSoftware();
    }

    @AfterEach
    void close() {
        sender.close();
        receiver.close();
    }

    private FakeEngine node(int id, Encryption encryption) {
        DXNetConfig.Builder settings = IbNodes.tiny(DXNetConfig.builder())
                .transportOption("ib.device", "soft@" + NETWORK + (2 + id))
                .transportOption("ib.security", encryption.toString());
        return FakeEngine.started(Protection.KEY.member(settings), id, addresses);
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
    private byte[] forge(int port, int immediate, byte[] content) {
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
                .putInt(0x4000)
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

    private static InetSocketAddress address(int node) {
        return new InetSocketAddress(NETWORK + (2 + node), ROCE_PORT);
    }

    private void inject(int immediate, byte[] content) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            channel.bind(new InetSocketAddress(address(SENDER).getAddress(), 0));
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
