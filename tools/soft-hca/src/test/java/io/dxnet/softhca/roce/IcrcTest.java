package io.dxnet.softhca.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.Random;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The invariant check sum, against packets that the kernel's Soft-RoCE accepted. */
class IcrcTest {
    private static final int SOURCE = 10 << 24 | 77 << 16 | 9;
    private static final int DESTINATION = 10 << 24 | 77 << 16 | 1;
    private static final int PORT = 4791;

    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "64e0ffff00000011000000011111111100000777312055442066726f6d20343739312c204446000016005923",
                "0470ffff000000128000010068656c6c6f2066726f6d2061204a61766120446174616772616d4368616e6e656c000000aed44d91"
            })
    void shouldMatchWhatTheKernelAccepts(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        packet.bytes().put(0, bytes);
        assertThat(packet.parse(bytes.length)).isTrue();
        assertThat(icrc.identification(packet.bytes(), packet.length(), SOURCE, PORT, DESTINATION, 0))
                .isZero();
        icrc.seal(packet.bytes(), packet.length(), SOURCE, DESTINATION, 0);
        byte[] sealed = new byte[bytes.length];
        packet.bytes().get(0, sealed);
        assertThat(sealed).isEqualTo(bytes);
    }

    @Test
    void shouldFindTheIdentificationWhenItIsNotZero() {
        Random random = new Random(3);
        for (int i = 0; i < 200; i++) {
            packet.begin(Opcode.SEND_ONLY, false, 18, true, i);
            packet.setPayload(random.nextInt(4096));
            int identification = random.nextInt(1 << 16);
            packet.bytes().putInt(packet.length(), Integer.reverseBytes(sumWith(identification)));
            for (int expected : new int[] {0, identification, random.nextInt(1 << 16)}) {
                assertThat(icrc.identification(packet.bytes(), packet.length(), SOURCE, PORT, DESTINATION, expected))
                        .isEqualTo(identification);
            }
            icrc.seal(packet.bytes(), packet.length(), SOURCE, DESTINATION, identification);
            assertThat(packet.bytes().getInt(packet.length())).isEqualTo(Integer.reverseBytes(sumWith(identification)));
        }
    }

    /** The sum computed anew, with an identification. */
    private int sumWith(int identification) {
        int length = packet.length();
        byte[] all = new byte[36 + length];
        java.nio.ByteBuffer buffer = java.nio.ByteBuffer.wrap(all);
        buffer.putLong(-1).putShort((short) 0x45ff).putShort((short) (32 + length));
        buffer.putShort((short) identification).putShort((short) 0x4000).putShort((short) 0xff11);
        buffer.putShort((short) 0xffff).putInt(SOURCE).putInt(DESTINATION);
        buffer.putShort((short) PORT).putShort((short) PORT).putShort((short) (12 + length));
        buffer.putShort((short) 0xffff);
        packet.bytes().get(0, all, 36, length);
        all[36 + BthDescriptor.VARIANT] = (byte) 0xff;
        CRC32 crc = new CRC32();
        crc.update(all);
        return (int) crc.getValue();
    }

    @Test
    void shouldRefuseAPacketWhenOneBitIsFlipped() {
        packet.begin(Opcode.SEND_ONLY, false, 18, true, 7);
        packet.setPayload(64);
        icrc.seal(packet.bytes(), packet.length(), SOURCE, DESTINATION, 0);
        int refused = 0;
        int bits = 8 * packet.length();
        for (int bit = 0; bit < bits; bit++) {
            int at = bit / 8;
            packet.bytes().put(at, (byte) (packet.bytes().get(at) ^ 1 << bit % 8));
            if (icrc.identification(packet.bytes(), packet.length(), SOURCE, PORT, DESTINATION, 0) < 0) {
                refused++;
            }
            packet.bytes().put(at, (byte) (packet.bytes().get(at) ^ 1 << bit % 8));
        }
        // Byte 4 changes on the way and is not covered.
        assertThat(refused).isEqualTo(bits - 8);
    }

    @Test
    void shouldRefuseAPacketWhenItComesFromAnotherAddress() {
        packet.begin(Opcode.SEND_ONLY, false, 18, true, 7);
        packet.setPayload(64);
        icrc.seal(packet.bytes(), packet.length(), SOURCE, DESTINATION, 0);
        assertThat(icrc.identification(packet.bytes(), packet.length(), SOURCE + 1, PORT, DESTINATION, 0))
                .isNegative();
    }
}
