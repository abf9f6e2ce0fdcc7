package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/**
 * The acknowledgement extended transport header, behind the base header of what a responder sends.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-+---+---------+-----------------------------------------------+
 *  |0|kind| value  |           message sequence number             |
 *  +-+---+---------+-----------------------------------------------+
 * </pre>
 *
 * <p>Kind 0: an acknowledgement, its value the credits, 31 for none counted. Kind 1: the receiver
 * is not ready, the value the code of a time. Kind 3: a negative acknowledgement, the value its
 * reason.
 */
public final class AethDescriptor {
    /** The size of the header. */
    public static final int BYTES = 4;

    /** A positive acknowledgement that counts no credits. */
    public static final int ACKNOWLEDGED = 0x1f;

    /** The receiver is not ready; plus the code of a time. */
    public static final int NOT_READY = 0x20;

    /** A packet is missing. */
    public static final int MISSING = 0x60;

    /** The request is invalid. */
    public static final int INVALID_REQUEST = 0x61;

    /** The remote key, its range or its rights do not fit. */
    public static final int ACCESS_ERROR = 0x62;

    /** The responder cannot execute the request. */
    public static final int OPERATION_ERROR = 0x63;

    private static final int KIND = 0x60;
    private static final int VALUE = 0x1f;
    private static final int SYNDROME_SHIFT = 24;

    private AethDescriptor() {}

    static void write(ByteBuffer packet, int syndrome, int messages) {
        packet.putInt(BthDescriptor.BYTES, syndrome << SYNDROME_SHIFT | messages & Psn.MASK);
    }

    static int syndrome(ByteBuffer packet) {
        return packet.getInt(BthDescriptor.BYTES) >>> SYNDROME_SHIFT;
    }

    static int messages(ByteBuffer packet) {
        return packet.getInt(BthDescriptor.BYTES) & Psn.MASK;
    }

    static boolean isAcknowledged(int syndrome) {
        return (syndrome & ~VALUE) == 0;
    }

    static boolean isNotReady(int syndrome) {
        return (syndrome & KIND) == NOT_READY;
    }

    static int value(int syndrome) {
        return syndrome & VALUE;
    }
}
