package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * The RDMA extended transport header, behind the base header of a write's first packet and of a
 * read's request.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                                                               |
 *  +                        virtual address                        +
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                          remote key                           |
 *  +---------------------------------------------------------------+
 *  |                          length, bytes                        |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class RethDescriptor {
    /** The size of the header. */
    public static final int BYTES = 16;

    private static final int ADDRESS = BthDescriptor.BYTES;
    private static final int KEY = ADDRESS + 8;
    private static final int LENGTH = KEY + 4;

    private RethDescriptor() {}

    static void write(ByteBuffer packet, long address, int key, long length) {
        packet.putLong(ADDRESS, address);
        packet.putInt(KEY, key);
        packet.putInt(LENGTH, (int) length);
    }

    static long address(ByteBuffer packet) {
        return packet.getLong(ADDRESS);
    }

    static int key(ByteBuffer packet) {
        return packet.getInt(KEY);
    }

    static long length(ByteBuffer packet) {
        return Integer.toUnsignedLong(packet.getInt(LENGTH));
    }
}
