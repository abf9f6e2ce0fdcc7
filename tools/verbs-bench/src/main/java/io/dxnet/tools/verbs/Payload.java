package io.dxnet.tools.verbs;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The content of messages: every byte follows from a seed and the message's
 * number. The last byte is never 0, nor that of the message before or after:
 * by it, a receiver recognises that an RDMA write has arrived.
 */
public final class Payload {
    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final long STEP = 0x9E37_79B9_7F4A_7C15L;
    /** Prime, so that a power of two of messages in turn never repeats a tag at its own place. */
    private static final int TAGS = 251;

    private Payload() {}

    /**
     * Writes a message.
     *
     * @param into memory
     * @param offset its first byte
     * @param size bytes, at least 1
     * @param seed of the run
     * @param number of the message
     */
    public static void fill(MemorySegment into, long offset, int size, long seed, long number) {
        long word = first(seed, number);
        long at = offset;
        long last = offset + size - 1;
        for (; at + 8 <= last; at += 8, word += STEP) {
            into.set(WORD, at, word);
        }
        for (; at < last; at++, word >>>= 8) {
            into.set(ValueLayout.JAVA_BYTE, at, (byte) word);
        }
        into.set(ValueLayout.JAVA_BYTE, last, tag(number));
    }

    /**
     * Checks a message.
     *
     * @param in memory
     * @param offset its first byte
     * @param size bytes, at least 1
     * @param seed of the run
     * @param number of the message
     * @return whether every byte is right
     */
    public static boolean matches(MemorySegment in, long offset, int size, long seed, long number) {
        long word = first(seed, number);
        long at = offset;
        long last = offset + size - 1;
        for (; at + 8 <= last; at += 8, word += STEP) {
            if (in.get(WORD, at) != word) {
                return false;
            }
        }
        for (; at < last; at++, word >>>= 8) {
            if (in.get(ValueLayout.JAVA_BYTE, at) != (byte) word) {
                return false;
            }
        }
        return in.get(ValueLayout.JAVA_BYTE, last) == tag(number);
    }

    /**
     * The last byte of a message.
     *
     * @param number of the message
     * @return 1 to 251
     */
    public static byte tag(long number) {
        return (byte) (number % TAGS + 1);
    }

    private static long first(long seed, long number) {
        long mixed = (seed ^ number * STEP) * 0xBF58_476D_1CE4_E5B9L;
        return mixed ^ mixed >>> 31;
    }
}
