package io.dxnet.runtime.wire;

import java.lang.foreign.MemorySegment;

/**
 * The message header (DXNet Figure 4), little endian. The source is the connection's
 * peer, never a field.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-----------------------------------------------+---------------+
 *  |                  message id                   | flags  | cat. |
 *  +---------------+---------------+---------------+---------------+
 *  |     type      |    subtype    |    payload length, bytes ...  |
 *  +---------------+---------------+-------------------------------+
 *  |  ... 4 bytes in all           |
 *  +-------------------------------+
 *
 *   cat. (bits 0..2 of byte 3): 0 message, 1 request, 2 response, 3 aborted, 4 handover, 5
 *   goodbye, 6 rejected, 7 barrier
 *   flags: bit 4 service (the type is one of DXNet's own services, from a table of its own, not the
 *   application's), bit 5 failed (a response without an answer but with a FailureReport), bit 6
 *   streamed (the last payload byte is a trailer: 0 whole, 1 abandoned by its sender), bit 7
 * exclusive
 * </pre>
 */
public final class HeaderDescriptor {
    public static final int BYTES = 10;
    static final int LENGTH_OFFSET = 6;
    public static final int ID_MASK = (1 << 24) - 1;

    public static final int MESSAGE = 0;
    public static final int REQUEST = 1;
    public static final int RESPONSE = 2;
    /** A message whose export failed: its payload means nothing. */
    public static final int ABORTED = 3;
    /**
     * In a stream that ends: no payload; only responses and rejections follow, messages and
     * requests continue in the successor's stream.
     */
    public static final int HANDOVER = 4;
    /** The last message of a direction: no payload, nothing follows. */
    public static final int GOODBYE = 5;

    /**
     * Messages of this type were received and not handled: a {@link FailureReport}.
     * Handled like a response.
     */
    public static final int REJECTED = 6;

    /**
     * Asks for the signal {@link ConnectionLife#PASSED} when all that was sent
     * before it is handled: no payload.
     */
    public static final int BARRIER = 7;

    public static final int CATEGORY_MASK = 0x07;
    /** The type is one of DXNet's own services, which use none of the application's types. */
    public static final int SERVICE = 0x10;

    public static final int FAILED = 0x20;

    public static final int STREAMED = 0x40;
    public static final int EXCLUSIVE = 0x80;
    private static final int KNOWN = CATEGORY_MASK | SERVICE | FAILED | STREAMED | EXCLUSIVE;

    /**
     * The bit of {@link #SERVICE} in the index of a type, and the first index of a service's type.
     */
    public static final int SERVICE_KEY = 1 << 16;

    private static final int CONTROL_SHIFT = 24;
    private static final int SERVICE_SHIFT = 12; // from its place in a header's word to SERVICE_KEY

    public static final byte TRAILER_WHOLE = 0;
    public static final byte TRAILER_ABORTED = 1;

    private HeaderDescriptor() {}

    /** The first 8 bytes of a header as one number. */
    public static long word(int id, int control, int type, int subtype, int length) {
        return (id & ID_MASK)
                | ((long) control << CONTROL_SHIFT)
                | ((long) type << 32)
                | ((long) subtype << 40)
                | ((long) (length & 0xffff) << 48);
    }

    /** {@return the header's last 2 bytes} */
    public static short tail(int length) {
        return (short) (length >>> 16);
    }

    public static long word(MemorySegment segment, long offset) {
        return segment.get(WireFormat.LONG, offset);
    }

    public static int length(MemorySegment segment, long offset) {
        return segment.get(WireFormat.INT, offset + LENGTH_OFFSET);
    }

    public static int id(long word) {
        return (int) word & ID_MASK;
    }

    /** {@return category and flags} */
    public static int control(long word) {
        return (int) (word >>> CONTROL_SHIFT) & 0xff;
    }

    public static int category(long word) {
        return control(word) & CATEGORY_MASK;
    }

    public static int type(long word) {
        return (int) (word >>> 32) & 0xff;
    }

    public static int subtype(long word) {
        return (int) (word >>> 40) & 0xff;
    }

    /** The index of a type in tables of types: those of services follow the application's. */
    public static int key(long word) {
        return (int) (word >>> 32) & 0xffff | (int) (word >>> SERVICE_SHIFT) & SERVICE_KEY;
    }

    /** The index of a message's type, as {@link #key(long)} returns it for its header. */
    public static int key(int type, int subtype, int control) {
        return key(type, subtype) | control << CONTROL_SHIFT - SERVICE_SHIFT & SERVICE_KEY;
    }

    public static int key(int type, int subtype) {
        return subtype << 8 | type;
    }

    /**
     * Whether the receiver handles it as a response: also while a callback waits,
     * and until the stream's goodbye.
     */
    public static boolean isResponding(int control) {
        int category = control & CATEGORY_MASK;
        return category == RESPONSE || category == REJECTED;
    }

    /** Whether a category has no payload: it concerns the stream. */
    public static boolean isOfStream(int category) {
        return category == HANDOVER || category == GOODBYE || category == BARRIER;
    }

    public static boolean isKnown(int control) {
        int category = control & CATEGORY_MASK;
        return (control & ~KNOWN) == 0
                && ((control & FAILED) == 0 || category == RESPONSE)
                && (category != BARRIER || control == BARRIER)
                && ((control & SERVICE) == 0 || !isOfStream(category));
    }
}
