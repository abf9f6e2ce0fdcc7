package io.dxnet.tools.payload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes that follow from a seed: words of eight bytes, little endian, each of which depends on
 * the seed and on its place. Any thread.
 */
public final class SeededBytes {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private SeededBytes() {}

    /**
     * {@return a seed}
     *
     * @param stream the message's stream, for instance its sending thread
     * @param number the message's number in it
     */
    public static long seed(long stream, long number) {
        return mix(stream * GOLDEN + number);
    }

    /**
     * Writes the bytes of a range.
     *
     * @param bytes where to
     * @param from index of the first one; {@code place + from} is a multiple of 8
     * @param to index after the last one
     * @param seed of the message
     * @param place of {@code bytes[0]} in the message
     */
    public static void fill(byte[] bytes, int from, int to, long seed, long place) {
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            LONGS.set(bytes, i, word(seed, place + i));
        }
        for (long last = word(seed, place + i); i < to; i++, last >>>= Byte.SIZE) {
            bytes[i] = (byte) last;
        }
    }

    /**
     * {@return whether the bytes of a range are those of {@link #fill}}
     *
     * @param bytes where they are
     * @param from index of the first one; {@code place + from} is a multiple of 8
     * @param to index after the last one
     * @param seed of the message
     * @param place of {@code bytes[0]} in the message
     */
    public static boolean matches(byte[] bytes, int from, int to, long seed, long place) {
        long difference = 0;
        int i = from;
        for (; i + Long.BYTES <= to; i += Long.BYTES) {
            difference |= (long) LONGS.get(bytes, i) ^ word(seed, place + i);
        }
        for (long last = word(seed, place + i); i < to; i++, last >>>= Byte.SIZE) {
            difference |= bytes[i] ^ (byte) last;
        }
        return difference == 0;
    }

    private static long word(long seed, long place) {
        long z = (seed + place) * GOLDEN;
        return z ^ z >>> 29;
    }

    /** The finalizer of SplitMix64. */
    private static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
