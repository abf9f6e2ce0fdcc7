package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * Immediate data: four bytes, the last of a packet's headers.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |            immediate data, as the application has it          |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class ImmediateDescriptor {
    /** The size of the header. */
    public static final int BYTES = 4;

    private ImmediateDescriptor() {}

    static void write(ByteBuffer packet, int headerBytes, int data) {
        packet.putInt(headerBytes - BYTES, data);
    }

    static int data(ByteBuffer packet, int headerBytes) {
        return packet.getInt(headerBytes - BYTES);
    }
}
