package io.dxnet.softhca;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;

/**
 * Native memory by address, as the C side sees it. The callers are the device's verbs:
 * whether an address may be touched is what they check (keys and bounds of memory
 * regions), here nothing is checked.
 */
final class Memory {
    @SuppressWarnings("restricted")
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle ATOMIC_LONG = JAVA_LONG.varHandle();

    private Memory() {}

    static byte getByte(long address) {
        return ALL.get(JAVA_BYTE, address);
    }

    static short getShort(long address) {
        return ALL.get(JAVA_SHORT_UNALIGNED, address);
    }

    static int getInt(long address) {
        return ALL.get(JAVA_INT_UNALIGNED, address);
    }

    /** An {@code uint32_t}. */
    static long getUnsignedInt(long address) {
        return Integer.toUnsignedLong(ALL.get(JAVA_INT_UNALIGNED, address));
    }

    static long getLong(long address) {
        return ALL.get(JAVA_LONG_UNALIGNED, address);
    }

    static void putByte(long address, int value) {
        ALL.set(JAVA_BYTE, address, (byte) value);
    }

    static void putShort(long address, int value) {
        ALL.set(JAVA_SHORT_UNALIGNED, address, (short) value);
    }

    static void putInt(long address, int value) {
        ALL.set(JAVA_INT_UNALIGNED, address, value);
    }

    static void putLong(long address, long value) {
        ALL.set(JAVA_LONG_UNALIGNED, address, value);
    }

    static void copy(long from, long to, long bytes) {
        MemorySegment.copy(ALL, from, ALL, to, bytes);
    }

    static void clear(long address, long bytes) {
        ALL.asSlice(address, bytes).fill((byte) 0);
    }

    static void putBytes(long address, byte[] bytes) {
        MemorySegment.copy(bytes, 0, ALL, JAVA_BYTE, address, bytes.length);
    }

    static byte[] getBytes(long address, int count) {
        byte[] bytes = new byte[count];
        MemorySegment.copy(ALL, JAVA_BYTE, address, bytes, 0, count);
        return bytes;
    }

    /** Writes a C string into {@code room} bytes, cut where it does not fit. */
    static void putString(long address, String text, int room) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, room - 1);
        MemorySegment.copy(bytes, 0, ALL, JAVA_BYTE, address, length);
        putByte(address + length, 0);
    }

    /** Adds to the aligned {@code long} at {@code address} and returns what was there. */
    static long fetchAndAdd(long address, long addend) {
        return (long) ATOMIC_LONG.getAndAdd(ALL, address, addend);
    }

    /**
     * Swaps the aligned {@code long} at {@code address} if it is
     * {@code expected}; returns what was there.
     */
    static long compareAndSwap(long address, long expected, long value) {
        return (long) ATOMIC_LONG.compareAndExchange(ALL, address, expected, value);
    }
}
