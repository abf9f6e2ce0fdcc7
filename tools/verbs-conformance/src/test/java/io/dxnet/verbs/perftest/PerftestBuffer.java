package io.dxnet.verbs.perftest;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reproduces the bytes of perftest's buffers. A program of perftest fills its buffer once, with the
 * low bytes of {@code rand()} of the C library, whose seed is the time in seconds at its start.
 */
final class PerftestBuffer {
    /** How many seconds before now a program of perftest may have started. */
    private static final int SECONDS = 600;

    private static final int FAR = 31;
    private static final int NEAR = 3;
    /** Numbers that the C library does not return: copies of the seed's, and 310 more. */
    private static final int UNUSED = NEAR + 310;

    private static final int MULTIPLIER = 16_807;
    private static final int MODULUS = Integer.MAX_VALUE;
    private static final int PROBE = 8;

    private final byte[] bytes;

    private PerftestBuffer(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Finds the buffer that holds some bytes.
     *
     * @param part bytes that perftest sent or let be read
     * @param at their offset in its buffer
     * @param length of the buffer
     * @return the whole buffer
     * @throws IllegalStateException if no buffer of the last minutes begins so
     */
    static PerftestBuffer holding(MemorySegment part, int at, int length) {
        long now = System.currentTimeMillis() / 1000;
        for (long seed = now; seed > now - SECONDS; seed--) {
            PerftestBuffer candidate = new PerftestBuffer(random((int) seed, at + PROBE));
            if (candidate.mismatch(part, at, PROBE) < 0) {
                return new PerftestBuffer(random((int) seed, length));
            }
        }
        throw new IllegalStateException("these bytes are not those of a buffer of perftest");
    }

    /** The first of {@code count} bytes that differs from the buffer's at {@code at}, or -1. */
    int mismatch(MemorySegment part, int at, int count) {
        for (int i = 0; i < count; i++) {
            if (part.get(ValueLayout.JAVA_BYTE, i) != bytes[at + i]) {
                return i;
            }
        }
        return -1;
    }

    /** The low bytes of the numbers that the C library's {@code rand()} returns after a seed. */
    static byte[] random(int seed, int count) {
        int[] state = new int[FAR + UNUSED + count];
        state[0] = seed == 0 ? 1 : seed;
        for (int i = 1; i < FAR; i++) {
            state[i] = Math.floorMod((long) MULTIPLIER * state[i - 1], MODULUS);
        }
        byte[] numbers = new byte[count];
        for (int i = FAR; i < state.length; i++) {
            // The sum of two earlier numbers, but for the first ones.
            state[i] = i < FAR + NEAR ? state[i - FAR] : state[i - NEAR] + state[i - FAR];
            if (i >= FAR + UNUSED) {
                numbers[i - FAR - UNUSED] = (byte) (state[i] >>> 1);
            }
        }
        return numbers;
    }
}
