package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * The base transport header, at the beginning of each packet.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+-+-+---+-------+-------------------------------+
 *  |    opcode     |S|M|pad|version|         partition key         |
 *  +---------------+-+-+---+-------+-------------------------------+
 *  |   reserved    |        queue pair number of the target        |
 *  +-+-------------+-----------------------------------------------+
 *  |A|  reserved   |            packet sequence number             |
 *  +-+-------------+-----------------------------------------------+
 * </pre>
 *
 * <p>S: solicited event. M: path migrated. A: an acknowledgement is requested.
 */
public final class BthDescriptor {
    /** The size of the header. */
    public static final int BYTES = 12;

    /** The default partition, with full membership. */
    public static final int DEFAULT_PARTITION = 0xffff;

    /** Reserved, and left out of the invariant check sum. */
    public static final int VARIANT = 4;

    private static final int FLAGS = 1;
    private static final int PARTITION = 2;
    private static final int TARGET = 4;
    private static final int SEQUENCE = 8;
    private static final int SOLICITED = 0x80;
    private static final int MIGRATED = 0x40;
    private static final int PAD_SHIFT = 4;
    private static final int PAD_MASK = 3;
    private static final int VERSION_MASK = 0xf;
    private static final int ACKNOWLEDGE = 1 << 31;

    private BthDescriptor() {}

    static void write(ByteBuffer packet, int opcode, boolean solicited, int target, boolean acknowledge, int psn) {
        packet.put(0, (byte) opcode);
        packet.put(FLAGS, (byte) (MIGRATED | (solicited ? SOLICITED : 0)));
        packet.putShort(PARTITION, (short) DEFAULT_PARTITION);
        packet.putInt(TARGET, target & Psn.MASK);
        packet.putInt(SEQUENCE, (acknowledge ? ACKNOWLEDGE : 0) | psn & Psn.MASK);
    }

    static void setPad(ByteBuffer packet, int pad) {
        packet.put(FLAGS, (byte) (packet.get(FLAGS) & ~(PAD_MASK << PAD_SHIFT) | pad << PAD_SHIFT));
    }

    static void setAcknowledge(ByteBuffer packet) {
        packet.putInt(SEQUENCE, packet.getInt(SEQUENCE) | ACKNOWLEDGE);
    }

    static int opcode(ByteBuffer packet) {
        return Byte.toUnsignedInt(packet.get(0));
    }

    static boolean solicited(ByteBuffer packet) {
        return (packet.get(FLAGS) & SOLICITED) != 0;
    }

    static int pad(ByteBuffer packet) {
        return packet.get(FLAGS) >> PAD_SHIFT & PAD_MASK;
    }

    static int version(ByteBuffer packet) {
        return packet.get(FLAGS) & VERSION_MASK;
    }

    static int partition(ByteBuffer packet) {
        return Short.toUnsignedInt(packet.getShort(PARTITION));
    }

    static int target(ByteBuffer packet) {
        return packet.getInt(TARGET) & Psn.MASK;
    }

    static boolean acknowledge(ByteBuffer packet) {
        return packet.getInt(SEQUENCE) < 0;
    }

    static int psn(ByteBuffer packet) {
        return packet.getInt(SEQUENCE) & Psn.MASK;
    }

    static void setPsn(ByteBuffer packet, int psn) {
        packet.putInt(SEQUENCE, packet.getInt(SEQUENCE) & ~Psn.MASK | psn & Psn.MASK);
    }
}
