package io.dxnet.softhca.capture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Captures in words; the packets are ones that the kernel's Soft-RoCE accepted. */
class SniffTest {
    private static final byte[] DATAGRAM = HexFormat.of()
            .parseHex("64e0ffff00000011000000011111111100000777312055442066726f6d20343739312c204446000016005923");
    private static final byte[] SEND = HexFormat.of()
            .parseHex("0470ffff000000128000010068656c6c6f2066726f6d2061204a617661204461746167"
                    + "72616d4368616e6e656c000000aed44d91");
    private static final int SOURCE = 10 << 24 | 77 << 16 | 9;
    private static final int DESTINATION = 10 << 24 | 77 << 16 | 1;
    private static final int PORT = 4791;
    private static final int ETHERNET = 1;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int sniff(byte[] capture) throws IOException {
        out.reset();
        err.reset();
        return new Sniff(
                        new ByteArrayInputStream(capture),
                        new PrintStream(out, false, StandardCharsets.UTF_8),
                        new PrintStream(err, false, StandardCharsets.UTF_8))
                .print(false);
    }

    private String[] lines() {
        return out.toString(StandardCharsets.UTF_8).split("\n");
    }

    /** A packet of IPv4 as Ethernet carries it. */
    private static byte[] ethernet(byte[] roce) {
        ByteBuffer frame = ByteBuffer.allocate(42 + roce.length);
        frame.putShort(12, (short) 0x0800).position(14);
        frame.put((byte) 0x45).put((byte) 2).putShort((short) (28 + roce.length));
        frame.putShort((short) 0)
                .putShort((short) 0x4000)
                .put((byte) 63)
                .put((byte) 17)
                .putShort((short) 0x1234);
        frame.putInt(SOURCE).putInt(DESTINATION);
        frame.putShort((short) PORT).putShort((short) PORT).putShort((short) (8 + roce.length));
        return frame.putShort((short) 0x5678).put(roce).array();
    }

    private static byte[] pcap(ByteOrder order, int linkType, byte[]... frames) {
        ByteBuffer file = ByteBuffer.allocate(1 << 16).order(order);
        file.putInt(0xa1b2c3d4).putShort((short) 2).putShort((short) 4).putLong(0);
        file.putInt(65535).putInt(linkType);
        for (byte[] frame : frames) {
            file.putInt(1).putInt(2).putInt(frame.length).putInt(frame.length).put(frame);
        }
        return Arrays.copyOf(file.array(), file.position());
    }

    private static byte[] pcapng(ByteOrder order, int linkType, byte[] frame) {
        ByteBuffer file = ByteBuffer.allocate(1 << 16).order(order);
        file.putInt(0x0a0d0d0a)
                .putInt(28)
                .putInt(0x1a2b3c4d)
                .putShort((short) 1)
                .putShort((short) 0);
        file.putLong(-1).putInt(28);
        // Times in nanoseconds.
        file.putInt(1).putInt(32).putShort((short) linkType).putShort((short) 0).putInt(0);
        file.putShort((short) 9).putShort((short) 1).put(new byte[] {9, 0, 0, 0});
        file.putInt(0).putInt(32);
        // A block that the reader skips.
        file.putInt(5).putInt(16).putInt(7).putInt(16);
        int padded = frame.length + 3 & ~3;
        file.putInt(6).putInt(32 + padded).putInt(0).putInt(0).putInt(1_000_002_000);
        file.putInt(frame.length).putInt(frame.length).put(frame).position(file.position() + padded - frame.length);
        file.putInt(32 + padded);
        return Arrays.copyOf(file.array(), file.position());
    }

    @Test
    void shouldPrintWhatWasWritten() throws IOException {
        Path file = folder.resolve("a.pcap");
        try (PcapWriter writer = new PcapWriter(file)) {
            writer.write(ByteBuffer.wrap(DATAGRAM), DATAGRAM.length, SOURCE, PORT, DESTINATION, 0);
            writer.write(ByteBuffer.wrap(SEND), SEND.length, SOURCE, PORT, DESTINATION, 0);
        }
        assertThat(sniff(Files.readAllBytes(file))).isZero();
        assertThat(lines()[0])
                .endsWith("10.77.0.9 > 10.77.0.1  UD SEND only, qp 17, psn 1, from qp 1911, qkey 0x11111111, 18 bytes,"
                        + " solicited, icrc right");
        assertThat(lines()[1]).endsWith("SEND only, qp 18, psn 256, 33 bytes, wants ack, icrc right");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("2 RoCEv2 packets, 0 of them damaged");
    }

    @Test
    void shouldReadEachFormatInEachOrder() throws IOException {
        String line =
                "00:00:01.000002 10.77.0.9 > 10.77.0.1  SEND only, qp 18, psn 256, 33 bytes, wants ack, icrc right";
        for (ByteOrder order : new ByteOrder[] {ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN}) {
            assertThat(sniff(pcap(order, ETHERNET, ethernet(SEND)))).isZero();
            assertThat(lines()).containsExactly(line);
            assertThat(sniff(pcapng(order, ETHERNET, ethernet(SEND)))).isZero();
            assertThat(lines()).containsExactly(line);
        }
    }

    @Test
    void shouldFindAPacketBehindATagOfAVirtualNetwork() throws IOException {
        byte[] plain = ethernet(SEND);
        ByteBuffer tagged = ByteBuffer.allocate(plain.length + 4);
        tagged.put(plain, 0, 12).putInt(0x8100_0005).put(plain, 12, plain.length - 12);
        assertThat(sniff(pcap(ByteOrder.BIG_ENDIAN, ETHERNET, tagged.array()))).isZero();
        assertThat(lines()[0]).contains("SEND only").endsWith("icrc right");
    }

    @Test
    void shouldTellThatTheCheckSumIsWrongWhenABitIsFlipped() throws IOException {
        byte[] frame = ethernet(SEND);
        frame[60] ^= 1;
        assertThat(sniff(pcap(ByteOrder.BIG_ENDIAN, ETHERNET, frame))).isEqualTo(1);
        assertThat(lines()[0]).endsWith("icrc WRONG");
    }

    @Test
    void shouldTellWhatItDoesNotDecode() throws IOException {
        byte[] unknown = ethernet(SEND);
        unknown[42] = 0x24;
        assertThat(sniff(pcap(ByteOrder.BIG_ENDIAN, ETHERNET, unknown))).isEqualTo(1);
        assertThat(lines()[0]).contains("UC opcode 0x24, qp 18, psn 256, wants ack, not decoded");

        byte[] fragment = ethernet(SEND);
        fragment[20] = 0x20;
        byte[] later = ethernet(SEND);
        later[21] = 2;
        byte[] tcp = ethernet(SEND);
        tcp[23] = 6;
        assertThat(sniff(pcap(ByteOrder.BIG_ENDIAN, ETHERNET, fragment, later, tcp)))
                .isZero();
        assertThat(lines()).hasSize(2);
        assertThat(lines()[0]).endsWith("fragment of a RoCEv2 packet at byte 0, not decoded");
        assertThat(lines()[1]).endsWith("fragment of some datagram of UDP at byte 16, not decoded");

        assertThat(sniff(pcap(ByteOrder.BIG_ENDIAN, 127, ethernet(SEND)))).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("link type 127");
    }

    @Test
    void shouldPrintHeadersWhenTheCaptureCutTheRest() throws IOException {
        byte[] cut = Arrays.copyOf(ethernet(SEND), 60);
        assertThat(sniff(pcap(ByteOrder.BIG_ENDIAN, ETHERNET, cut))).isZero();
        assertThat(lines()[0]).endsWith("SEND only, qp 18, psn 256, 33 bytes, wants ack, captured 18 of 52 bytes");
        assertThat(sniff(pcap(ByteOrder.BIG_ENDIAN, ETHERNET, Arrays.copyOf(cut, 50))))
                .isEqualTo(1);
        assertThat(lines()[0]).endsWith("captured 8 of 52 bytes, not decoded");
    }

    @Test
    void shouldEndWithAMessageWhereverACaptureIsCut() throws IOException {
        byte[][] captures = {
            pcap(ByteOrder.LITTLE_ENDIAN, ETHERNET, ethernet(SEND)),
            pcapng(ByteOrder.BIG_ENDIAN, ETHERNET, ethernet(SEND))
        };
        for (byte[] whole : captures) {
            int damaged = 0;
            for (int length = 0; length < whole.length; length++) {
                try {
                    damaged += sniff(Arrays.copyOf(whole, length));
                } catch (CaptureException e) {
                    assertThat(e).hasMessageContaining("missing");
                    damaged++;
                }
            }
            // But for cuts between blocks, which do not show.
            assertThat(damaged).isGreaterThanOrEqualTo(whole.length - 4);
        }
    }

    @Test
    void shouldRefuseWhatIsNoCapture() {
        byte[] text = "a text and no capture".getBytes(StandardCharsets.US_ASCII);
        assertThatThrownBy(() -> sniff(text))
                .isInstanceOf(CaptureException.class)
                .hasMessageContaining("neither pcap nor pcapng");
    }

    @Test
    void shouldNeverFailOtherwiseWhenBytesAreChanged() throws IOException {
        Random random = new Random(5);
        byte[][] captures = {
            pcap(ByteOrder.LITTLE_ENDIAN, ETHERNET, ethernet(SEND), ethernet(DATAGRAM)),
            pcapng(ByteOrder.BIG_ENDIAN, ETHERNET, ethernet(DATAGRAM))
        };
        for (int i = 0; i < 20_000; i++) {
            byte[] changed = captures[i % 2].clone();
            for (int flips = random.nextInt(4); flips >= 0; flips--) {
                changed[random.nextInt(changed.length)] = (byte) random.nextInt();
            }
            try {
                sniff(changed);
            } catch (CaptureException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }
}
