package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * The extended transport header of an atomic operation's request.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                   virtual address, 64 bits                    |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                          remote key                           |
 *  +---------------------------------------------------------------+
 *  |                swap value or addend, 64 bits                  |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                    compare value, 64 bits                     |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class AtomicDescriptor {
    /** The size of the header. */
    public static final int BYTES = 28;

    private static final int ADDRESS = BthDescriptor.BYTES;
    private static final int KEY = ADDRESS + 8;
    private static final int SWAP_OR_ADD = KEY + 4;
    private static final int COMPARE = SWAP_OR_ADD + 8;

    private AtomicDescriptor() {}

    static void write(ByteBuffer packet, long address, int key, long swapOrAdd, long compare) {
        packet.putLong(ADDRESS, address);
        packet.putInt(KEY, key);
        packet.putLong(SWAP_OR_ADD, swapOrAdd);
        packet.putLong(COMPARE, compare);
    }

    static long address(ByteBuffer packet) {
        return packet.getLong(ADDRESS);
    }

    static int key(ByteBuffer packet) {
        return packet.getInt(KEY);
    }

    static long swapOrAdd(ByteBuffer packet) {
        return packet.getLong(SWAP_OR_ADD);
    }

    static long compare(ByteBuffer packet) {
        return packet.getLong(COMPARE);
    }
}
