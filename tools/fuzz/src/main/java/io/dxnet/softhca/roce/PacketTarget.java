package io.dxnet.softhca.roce;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.util.HexFormat;
import java.util.List;

/** The decoder of RoCEv2 packets, its check sum and its text. */
public final class PacketTarget implements FuzzTarget {
    private static final int ADDRESS = 0x7f000002;
    private static final int PORT = 4791;

    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();

    /** Creates the target. */
    public PacketTarget() {}

    @Override
    public String name() {
        return "roce-packet";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                HexFormat.of()
                        .parseHex(
                                "64e0ffff00000011000000011111111100000777312055442066726f6d20343739312c204446000016005923"),
                HexFormat.of()
                        .parseHex(
                                "0470ffff000000128000010068656c6c6f2066726f6d2061204a61766120446174616772616d4368616e6e656c000000aed44d91"),
                HexFormat.of().parseHex("1140ffff00000012000001001f00000100000000"));
    }

    @Override
    public void run(byte[] input) {
        if (input.length > Packet.CAPACITY) {
            return;
        }
        packet.bytes().put(0, input);
        if (!packet.parse(input.length)) {
            return;
        }
        int header = Opcode.headerBytes(packet.opcode());
        if (packet.payloadBytes() < 0 || header + packet.payloadBytes() + Packet.CHECK_BYTES > input.length) {
            throw new AssertionError("a payload of " + packet.payloadBytes() + " bytes in " + input.length);
        }
        int identification = input.length & 63;
        icrc.seal(packet.bytes(), packet.length(), ADDRESS, ADDRESS + 1, identification);
        for (int expected : new int[] {identification, 0}) {
            int found = icrc.identification(packet.bytes(), packet.length(), ADDRESS, PORT, ADDRESS + 1, expected);
            if (found != identification) {
                throw new AssertionError("a sum that was computed does not fit");
            }
        }
        if (PacketText.of(packet).indexOf('\n') >= 0) {
            throw new AssertionError("more than one line");
        }
    }

    /** The check sum's table, once for each length. */
    @Override
    public long allocationBytesMax(int inputBytes) {
        return 1L << 20;
    }
}
