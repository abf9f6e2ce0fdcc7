package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * What an atomic operation found, behind the acknowledgement header of its answer.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                    original value, 64 bits                    |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class AtomicAckDescriptor {
    /** The size of the header. */
    public static final int BYTES = 8;

    private static final int VALUE = BthDescriptor.BYTES + AethDescriptor.BYTES;

    private AtomicAckDescriptor() {}

    static void write(ByteBuffer packet, long value) {
        packet.putLong(VALUE, value);
    }

    static long value(ByteBuffer packet) {
        return packet.getLong(VALUE);
    }
}
