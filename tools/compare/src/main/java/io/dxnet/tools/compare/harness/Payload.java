package io.dxnet.tools.compare.harness;

import io.dxnet.tools.payload.SeededBytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Writes and checks the payload of a message: sequence number, sending thread, and bytes that
 * depend on both and on their place.
 *
 * <pre>
 *   0        8        16                             size
 *   +--------+--------+------------------------------+
 *   |sequence| thread | seeded bytes                 |      little endian, cut off at size
 *   +--------+--------+------------------------------+
 * </pre>
 */
public final class Payload {
    /** The smallest payload: sequence number and thread. */
    public static final int BYTES_MIN = 16;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Payload() {}

    /** Fills {@code bytes} with the payload of message {@code sequence} of {@code thread}. */
    static void fill(byte[] bytes, long thread, long sequence) {
        LONGS.set(bytes, 0, sequence);
        LONGS.set(bytes, 8, thread);
        SeededBytes.fill(bytes, BYTES_MIN, bytes.length, SeededBytes.seed(thread, sequence), 0);
    }

    /** Whether the bytes of a payload are those of the sequence number and thread in it. */
    static boolean intact(byte[] bytes) {
        long seed = SeededBytes.seed(thread(bytes), sequence(bytes));
        return SeededBytes.matches(bytes, BYTES_MIN, bytes.length, seed, 0);
    }

    static long sequence(byte[] bytes) {
        return (long) LONGS.get(bytes, 0);
    }

    static long thread(byte[] bytes) {
        return (long) LONGS.get(bytes, 8);
    }
}
