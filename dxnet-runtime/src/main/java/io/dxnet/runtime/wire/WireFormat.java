package io.dxnet.runtime.wire;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The form of items on the wire: little endian, unaligned. {@link SegmentExporter}
 * and {@link SegmentImporter} are its two halves.
 *
 * <pre>
 *   compact number   zigzag, then 7 bits per byte, low group first, bit 7 set on all but the last byte
 *   array, buffer    compact length (-1: null) | items
 *   string           compact length in bytes (-1: null) | UTF-8
 *   segment          compact 64-bit length | bytes
 * </pre>
 */
public final class WireFormat {
    public static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    public static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfChar CHAR = ValueLayout.JAVA_CHAR_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /**
     * Binary logarithms of item sizes: a shift is cheaper than a division by a size
     * that the compiler doesn't know.
     */
    static final int SHIFT_2 = 1;

    static final int SHIFT_4 = 2;
    static final int SHIFT_8 = 3;

    /** The length that stands for null. */
    static final int NULL_LENGTH = -1;

    private WireFormat() {}

    static int zigzag(int value) {
        return (value << 1) ^ (value >> 31);
    }

    static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    static int unzigzag(int bits) {
        return (bits >>> 1) ^ -(bits & 1);
    }

    static long unzigzag(long bits) {
        return (bits >>> 1) ^ -(bits & 1);
    }
}
