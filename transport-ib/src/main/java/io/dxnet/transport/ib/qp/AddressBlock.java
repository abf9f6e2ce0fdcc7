package io.dxnet.transport.ib.qp;

import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The first 32 bytes of what two nodes send each other about a queue pair; little endian.
 *
 * <pre>
 *    0               2               4               6               8
 *   +---------------+---------------+---------------+---------------+
 * 0 |  queue pair number            |  first packet number          |
 *   +---------------+---------------+---------------+---------------+
 * 8 |  LID          |  MTU, bytes   |  of the user of the block     |
 *   +---------------+---------------+-------------------------------+
 * 16|  GID                                                          |
 * 24|                                                               |
 *   +---------------------------------------------------------------+
 * </pre>
 */
public final class AddressBlock {
    /** Its size. */
    public static final int BYTES = 32;

    /** Where the four bytes of the user of the block are. */
    public static final int OWN_OFFSET = 12;

    private static final int NUMBER_OFFSET = 0;
    private static final int PSN_OFFSET = 4;
    private static final int LID_OFFSET = 8;
    private static final int MTU_OFFSET = 10;
    private static final int GID_OFFSET = 16;
    private static final int GID_BYTES = 16;
    private static final int BITS_24 = 0xFF_FFFF;

    /** A first packet number that can be guessed would let a stranger inject packets. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private AddressBlock() {}

    /** {@return a first packet number, 24 bits that nobody can guess} */
    public static int randomPsn() {
        return RANDOM.nextInt() & BITS_24;
    }

    /**
     * Writes all but the bytes of the user.
     *
     * @param bytes little endian, at least 32
     * @param address of the queue pair
     * @param mtuBytes the largest packet of its port
     */
    public static void write(ByteBuffer bytes, QpAddress address, int mtuBytes) {
        bytes.putInt(NUMBER_OFFSET, address.qpNumber());
        bytes.putInt(PSN_OFFSET, address.psn());
        bytes.putShort(LID_OFFSET, (short) address.lid());
        bytes.putShort(MTU_OFFSET, (short) mtuBytes);
        bytes.put(GID_OFFSET, address.gid().bytes());
    }

    /**
     * Reads the address.
     *
     * @param bytes little endian, at least 32
     * @return the address, possible or not
     */
    public static QpAddress address(ByteBuffer bytes) {
        byte[] gid = new byte[GID_BYTES];
        bytes.get(GID_OFFSET, gid);
        return new QpAddress(
                bytes.getInt(NUMBER_OFFSET),
                bytes.getInt(PSN_OFFSET),
                bytes.getShort(LID_OFFSET) & 0xFFFF,
                Gid.of(gid));
    }

    /**
     * Reads the largest packet.
     *
     * @param bytes little endian, at least 32
     * @return the bytes, 0 to 65535
     */
    public static int mtuBytes(ByteBuffer bytes) {
        return bytes.getShort(MTU_OFFSET) & 0xFFFF;
    }

    /**
     * Checks an address.
     *
     * @param address as another node sent it
     * @return whether a queue pair can have it
     */
    public static boolean isPossible(QpAddress address) {
        return (address.qpNumber() & ~BITS_24) == 0
                && (address.psn() & ~BITS_24) == 0
                && (address.lid() != 0 || !address.gid().isZero());
    }
}
