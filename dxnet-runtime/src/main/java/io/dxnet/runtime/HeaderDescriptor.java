package io.dxnet.runtime;

import java.lang.foreign.MemorySegment;

/**
 * The message header (DXNet Figure 4), little endian. The source is the connection's peer, never a field.
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
 *   cat. (bits 0..2 of byte 3): 0 message, 1 request, 2 response, 3 aborted, 4 handover, 5 goodbye, 6 rejected
 *   flags: bit 5 failed (a response that carries no answer but a FailureReport), bit 6 streamed (the last payload byte is a trailer: 0 whole, 1 given up by its sender), bit 7 exclusive
 * </pre>
 */
final class HeaderDescriptor {
    static final int BYTES = 10;
    static final int LENGTH_OFFSET = 6;
    static final int ID_MASK = (1 << 24) - 1;

    static final int MESSAGE = 0;
    static final int REQUEST = 1;
    static final int RESPONSE = 2;
    /** A message whose export failed: its payload means nothing. */
    static final int ABORTED = 3;
    /** In a stream that ends: no payload; only responses follow, messages and requests go on in the successor's stream. */
    static final int HANDOVER = 4;
    /** The last message of a direction: no payload, nothing follows. */
    static final int GOODBYE = 5;

    /** Messages of this type were received and not handled: a {@link FailureReport}. Handled like a response. */
    static final int REJECTED = 6;

    static final int CATEGORY_MASK = 0x07;
    static final int FAILED = 0x20;
    static final int STREAMED = 0x40;
    static final int EXCLUSIVE = 0x80;
    private static final int KNOWN = CATEGORY_MASK | FAILED | STREAMED | EXCLUSIVE;

    static final byte TRAILER_WHOLE = 0;
    static final byte TRAILER_ABORTED = 1;

    private HeaderDescriptor() {}

    /** The first 8 bytes of a header as one number. */
    static long word(int id, int control, int type, int subtype, int length) {
        return (id & ID_MASK)
                | ((long) control << 24)
                | ((long) type << 32)
                | ((long) subtype << 40)
                | ((long) (length & 0xffff) << 48);
    }

    /** The last 2 bytes. */
    static short tail(int length) {
        return (short) (length >>> 16);
    }

    static long word(MemorySegment segment, long offset) {
        return segment.get(WireFormat.LONG, offset);
    }

    static int length(MemorySegment segment, long offset) {
        return segment.get(WireFormat.INT, offset + LENGTH_OFFSET);
    }

    static int id(long word) {
        return (int) word & ID_MASK;
    }

    /** Category and flags. */
    static int control(long word) {
        return (int) (word >>> 24) & 0xff;
    }

    static int category(long word) {
        return control(word) & CATEGORY_MASK;
    }

    static int type(long word) {
        return (int) (word >>> 32) & 0xff;
    }

    static int subtype(long word) {
        return (int) (word >>> 40) & 0xff;
    }

    /** The index of a type in tables of types. */
    static int key(long word) {
        return (int) (word >>> 32) & 0xffff;
    }

    static int key(int type, int subtype) {
        return subtype << 8 | type;
    }

    /** Whether the receiver handles it as a response: also while a callback waits, and until the stream's goodbye. */
    static boolean isResponding(int control) {
        int category = control & CATEGORY_MASK;
        return category == RESPONSE || category == REJECTED;
    }

    /** Whether a category has no payload: it concerns the stream. */
    static boolean isOfStream(int category) {
        return category == HANDOVER || category == GOODBYE;
    }

    static boolean isKnown(int control) {
        int category = control & CATEGORY_MASK;
        return (control & ~KNOWN) == 0 && category <= REJECTED && ((control & FAILED) == 0 || category == RESPONSE);
    }
}
