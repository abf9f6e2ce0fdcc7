package io.dxnet.codec;

import io.dxnet.Importer;
import io.dxnet.MessageFormatException;

/** Checks numbers from the wire before anything is allocated for them. */
final class Lengths {
    /**
     * The elements of a recursive type for which memory is allocated before they are read. Each
     * level of a hostile message may announce as many as the message has bytes left, so that more
     * would multiply with the levels.
     */
    private static final int UNREAD_MAX = 256;

    private Lengths() {}

    /**
     * Reads a number of elements.
     *
     * @param bytesMin the size of the smallest element, at least 1
     * @param where names the value in errors
     * @return 0 or more, or {@link ValueCodec#NULL}
     * @throws MessageFormatException when the elements do not fit into the rest of the message
     */
    static int read(Importer from, int bytesMin, String where) {
        int count = from.readCompactInt();
        if (count < ValueCodec.NULL || (long) count * bytesMin > from.remaining()) {
            throw new MessageFormatException("expected the number of elements of " + where + ", each at least "
                    + bytesMin + " bytes, but it is " + count + "; " + left(from));
        }
        return count;
    }

    /**
     * {@return the number of elements to allocate memory for at once,
     * when {@code count} are announced}
     */
    static int capacity(int count, Extent element) {
        return element.isRecursive() ? Math.min(count, UNREAD_MAX) : count;
    }

    /**
     * {@return the length of the array after one of {@code length}, of which
     * {@code count} are needed in the end}
     */
    static int grown(int length, int count) {
        return (int) Math.min(count, 2L * length);
    }

    static String left(Importer from) {
        return from.remaining() + " bytes of the message are left";
    }
}
