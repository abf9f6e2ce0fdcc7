package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * The datagram extended transport header, behind the base header of an unreliable datagram.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                           queue key                           |
 *  +---------------+-----------------------------------------------+
 *  |   reserved    |        queue pair number of the sender        |
 *  +---------------+-----------------------------------------------+
 * </pre>
 */
public final class DethDescriptor {
    /** The size of the header. */
    public static final int BYTES = 8;

    private static final int KEY = BthDescriptor.BYTES;
    private static final int SOURCE = KEY + 4;

    private DethDescriptor() {}

    static void write(ByteBuffer packet, int key, int source) {
        packet.putInt(KEY, key);
        packet.putInt(SOURCE, source & Psn.MASK);
    }

    static int key(ByteBuffer packet) {
        return packet.getInt(KEY);
    }

    static int source(ByteBuffer packet) {
        return packet.getInt(SOURCE) & Psn.MASK;
    }
}
