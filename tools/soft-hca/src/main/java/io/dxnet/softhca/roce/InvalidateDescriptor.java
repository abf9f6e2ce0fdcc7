package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * The invalidate extended transport header: four bytes, the last of a packet's headers.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |           remote key that is to allow nothing more            |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class InvalidateDescriptor {
    /** The size of the header. */
    public static final int BYTES = 4;

    private InvalidateDescriptor() {}

    static void write(ByteBuffer packet, int headerBytes, int key) {
        packet.putInt(headerBytes - BYTES, key);
    }

    static int key(ByteBuffer packet, int headerBytes) {
        return packet.getInt(headerBytes - BYTES);
    }
}
