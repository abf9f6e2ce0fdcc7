package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant check sum of RoCEv2 over IPv4: CRC-32 of the packet with the headers below it. What
 * routers change counts as ones.
 *
 * <pre>
 *  8 bytes ff | IPv4 header: TOS, TTL, check sum as ff | UDP header: check sum as ff | BTH: byte 4 as ff | rest
 * </pre>
 *
 * <p>A receiver of datagrams does not see the IPv4 identification. The sum is linear in it: it is
 * solved for, and 16 of the 32 bits remain as a check. A datagram of the expected identification is
 * checked with all 32 bits first: datagrams that this endpoint sends alone have 0, those that pass
 * through the kernel as one are counted from 0. One thread at a time uses an object.
 */
public final class Icrc {
    private static final int MASKED = 8;
    private static final int IP = MASKED;
    private static final int UDP = IP + 20;
    private static final int BTH = UDP + 8;
    private static final int PREFIX = BTH + BthDescriptor.BYTES;
    private static final int IDENTIFICATION = IP + 4;
    private static final int IP_AND_UDP = 28;
    private static final int UDP_HEADER = 8;
    private static final int PORT = 4791;
    private static final int BITS = 16;
    private static final int NOT_SOLVED = -1;

    /** So many bytes behind the base header cost less to copy than to sum by themselves. */
    private static final int SMALL = 256;

    private final CRC32 crc = new CRC32();
    private final ByteBuffer prefix = ByteBuffer.allocate(PREFIX + SMALL);

    /** For each length of a packet in words: 16 pairs of check sum and identification bits. */
    private int[][] bases;

    /** Creates one. */
    public Icrc() {
        for (int i = 0; i < MASKED; i++) {
            prefix.put(i, (byte) 0xff);
        }
        prefix.put(IP, (byte) 0x45);
        prefix.put(IP + 1, (byte) 0xff);
        prefix.putShort(IP + 6, (short) 0x4000);
        prefix.putShort(IP + 8, (short) 0xff11);
        prefix.putShort(IP + 10, (short) 0xffff);
        prefix.putShort(UDP + 2, (short) PORT);
        prefix.putShort(UDP + 6, (short) 0xffff);
    }

    /**
     * Computes the sum of a packet.
     *
     * @param packet begins at 0
     * @param length from base header to pad
     * @param source the sender's IPv4 address
     * @param sourcePort the sender's UDP port
     * @param destination the receiver's IPv4 address
     * @param identification of the IPv4 header
     * @return the sum; its low byte is the first on the wire
     */
    public int sum(ByteBuffer packet, int length, int source, int sourcePort, int destination, int identification) {
        prefix.putShort(IDENTIFICATION, (short) identification);
        prefix.putShort(IP + 2, (short) (IP_AND_UDP + length + Packet.CHECK_BYTES));
        prefix.putInt(IP + 12, source);
        prefix.putInt(IP + 16, destination);
        prefix.putShort(UDP, (short) sourcePort);
        prefix.putShort(UDP + 4, (short) (UDP_HEADER + length + Packet.CHECK_BYTES));
        prefix.putLong(BTH, packet.getLong(0));
        prefix.putInt(BTH + 8, packet.getInt(8));
        prefix.put(BTH + BthDescriptor.VARIANT, (byte) 0xff);
        int rest = length - BthDescriptor.BYTES;
        crc.reset();
        if (rest <= SMALL) {
            packet.get(BthDescriptor.BYTES, prefix.array(), PREFIX, rest);
            crc.update(prefix.array(), 0, PREFIX + rest);
        } else {
            crc.update(prefix.array(), 0, PREFIX);
            packet.limit(length).position(BthDescriptor.BYTES);
            crc.update(packet);
            packet.clear();
        }
        return (int) crc.getValue();
    }

    /**
     * Writes the sum behind the pad.
     *
     * @param packet begins at 0
     * @param length from base header to pad
     * @param source the sender's IPv4 address
     * @param destination the receiver's IPv4 address
     * @param identification of the IPv4 header
     */
    public void seal(ByteBuffer packet, int length, int source, int destination, int identification) {
        int sum = sum(packet, length, source, PORT, destination, identification);
        packet.putInt(length, Integer.reverseBytes(sum));
    }

    /**
     * Checks the sum of a received packet.
     *
     * @param packet begins at 0; the sum is behind the pad
     * @param length from base header to pad
     * @param source the sender's IPv4 address
     * @param sourcePort the sender's UDP port
     * @param destination the receiver's IPv4 address
     * @param expected the identification that it has first of all
     * @return the identification of the IPv4 header, or -1 where none fits
     */
    public int identification(
            ByteBuffer packet, int length, int source, int sourcePort, int destination, int expected) {
        int sum = sum(packet, length, source, sourcePort, destination, expected);
        int difference = Integer.reverseBytes(packet.getInt(length)) ^ sum;
        if (difference == 0) {
            return expected;
        }
        int solved = solve(basis(length), difference);
        return solved < 0 ? solved : solved ^ expected;
    }

    private static int solve(int[] basis, int difference) {
        int left = difference;
        int identification = 0;
        for (int i = 0; i < basis.length; i += 2) {
            if ((left & Integer.highestOneBit(basis[i])) != 0) {
                left ^= basis[i];
                identification ^= basis[i + 1];
            }
        }
        return left == 0 ? identification : NOT_SOLVED;
    }

    private int[] basis(int length) {
        if (bases == null) {
            bases = new int[Packet.CAPACITY / 4 + 1][];
        }
        int word = length / 4;
        if (bases[word] == null) {
            bases[word] = reduce(length);
        }
        return bases[word];
    }

    /** What each bit of the identification changes in the sum, with distinct highest bits. */
    private int[] reduce(int length) {
        byte[] zeros = new byte[PREFIX - IDENTIFICATION + length - BthDescriptor.BYTES];
        int none = sumOf(zeros);
        int[] basis = new int[2 * BITS];
        for (int bit = 0; bit < BITS; bit++) {
            int at = bit < 8 ? 1 : 0;
            zeros[at] = (byte) (1 << (bit & 7));
            int changed = sumOf(zeros) ^ none;
            zeros[at] = 0;
            int bits = 1 << bit;
            for (int i = 0; i < 2 * bit; i += 2) {
                if ((changed & Integer.highestOneBit(basis[i])) != 0) {
                    changed ^= basis[i];
                    bits ^= basis[i + 1];
                }
            }
            basis[2 * bit] = changed;
            basis[2 * bit + 1] = bits;
        }
        return basis;
    }

    private int sumOf(byte[] bytes) {
        crc.reset();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
