package io.dxnet.tools.compare.harness;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes and checks the payload of a message: sequence number, sending thread, and words that
 * depend on both and on their place.
 *
 * <pre>
 *   0        8        16                             size
 *   +--------+--------+------------------------------+
 *   |sequence| thread | words of a seeded generator  |      little endian, cut off at size
 *   +--------+--------+------------------------------+
 * </pre>
 */
public final class Payload {
    /** The smallest payload: sequence number and thread. */
    public static final int BYTES_MIN = 16;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Payload() {}

    /** Fills {@code bytes} with the payload of message {@code sequence} of {@code thread}. */
    static void fill(byte[] bytes, long thread, long sequence) {
        LONGS.set(bytes, 0, sequence);
        LONGS.set(bytes, 8, thread);
        long seed = seed(thread, sequence);
        int i = BYTES_MIN;
        for (; i + 8 <= bytes.length; i += 8) {
            LONGS.set(bytes, i, word(seed, i));
        }
        for (long last = word(seed, i); i < bytes.length; i++, last >>>= 8) {
            bytes[i] = (byte) last;
        }
    }

    /** Whether the words of a payload are those of the sequence number and thread in it. */
    static boolean intact(byte[] bytes) {
        long seed = seed(thread(bytes), sequence(bytes));
        long difference = 0;
        int i = BYTES_MIN;
        for (; i + 8 <= bytes.length; i += 8) {
            difference |= (long) LONGS.get(bytes, i) ^ word(seed, i);
        }
        for (long last = word(seed, i); i < bytes.length; i++, last >>>= 8) {
            difference |= bytes[i] ^ (byte) last;
        }
        return difference == 0;
    }

    static long sequence(byte[] bytes) {
        return (long) LONGS.get(bytes, 0);
    }

    static long thread(byte[] bytes) {
        return (long) LONGS.get(bytes, 8);
    }

    private static long seed(long thread, long sequence) {
        return (thread * GOLDEN + sequence) * GOLDEN;
    }

    private static long word(long seed, int offset) {
        long z = (seed + offset) * GOLDEN;
        return z ^ z >>> 29;
    }
}
