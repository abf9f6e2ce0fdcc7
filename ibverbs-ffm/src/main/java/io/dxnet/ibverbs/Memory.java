package io.dxnet.ibverbs;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Native memory by absolute address. Every address that comes here was given by the library or
 * lies, after an index check, in memory that the caller owns; nothing of this is public.
 */
@SuppressWarnings("restricted")
final class Memory {
    /** The whole address space. */
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /**
     * All bits that an address can have. An address without any other bit is in bounds for the
     * compiler, which leaves out the check of each access to it.
     */
    static final long ADDRESSES = (1L << 62) - 1;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
    private static final ValueLayout.OfInt INT_BIG_ENDIAN = INT.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG_BIG_ENDIAN = LONG.withOrder(ByteOrder.BIG_ENDIAN);

    private Memory() {}

    static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    static void putByte(long address, int value) {
        ALL.set(ValueLayout.JAVA_BYTE, address, (byte) value);
    }

    static short getShort(long address) {
        return ALL.get(SHORT, address);
    }

    static void putShort(long address, int value) {
        ALL.set(SHORT, address, (short) value);
    }

    static int getInt(long address) {
        return ALL.get(INT, address);
    }

    static void putInt(long address, int value) {
        ALL.set(INT, address, value);
    }

    /** Two at once: {@code first} at the address, {@code second} behind it. */
    static void putInts(long address, int first, int second) {
        boolean isLittle = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
        long low = isLittle ? first : second;
        long high = isLittle ? second : first;
        putLong(address, low & 0xffff_ffffL | high << Integer.SIZE);
    }

    static int getIntBigEndian(long address) {
        return ALL.get(INT_BIG_ENDIAN, address);
    }

    static void putIntBigEndian(long address, int value) {
        ALL.set(INT_BIG_ENDIAN, address, value);
    }

    static long getLong(long address) {
        return ALL.get(LONG, address);
    }

    static void putLong(long address, long value) {
        ALL.set(LONG, address, value);
    }

    static long getLongBigEndian(long address) {
        return ALL.get(LONG_BIG_ENDIAN, address);
    }

    static void putLongBigEndian(long address, long value) {
        ALL.set(LONG_BIG_ENDIAN, address, value);
    }

    static void copy(MemorySegment from, long offset, long to, long byteCount) {
        MemorySegment.copy(from, offset, ALL, to, byteCount);
    }

    /** A C string of at most {@code limit} bytes. */
    static String string(long address, int limit) {
        int length = 0;
        while (length < limit && getByte(address + length) != 0) {
            length++;
        }
        byte[] bytes = new byte[length];
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** The functions at {@code address}, as the first argument of a downcall. */
    static MemorySegment function(long address) {
        return MemorySegment.ofAddress(address);
    }

    /** A field's offset, by its path of names. */
    static long offset(MemoryLayout layout, String... path) {
        MemoryLayout.PathElement[] elements = new MemoryLayout.PathElement[path.length];
        for (int i = 0; i < path.length; i++) {
            elements[i] = MemoryLayout.PathElement.groupElement(path[i]);
        }
        return layout.byteOffset(elements);
    }
}
