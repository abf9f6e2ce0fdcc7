package io.dxnet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The number of bytes that {@link Exporter}'s methods write, for
 * {@link Exportable#sizeOfObject()}. Items of fixed size need no method: their size is
 * {@link Long#BYTES} and its like. Any thread may call these methods.
 */
public final class ObjectSize {
    private ObjectSize() {}

    /**
     * The size of {@link Exporter#writeCompactInt}.
     *
     * @param value the value
     * @return 1 to 5 bytes
     */
    public static int ofCompactInt(int value) {
        int zigzag = (value << 1) ^ (value >> 31);
        return (38 - Integer.numberOfLeadingZeros(zigzag | 1)) / 7;
    }

    /**
     * The size of {@link Exporter#writeCompactLong}.
     *
     * @param value the value
     * @return 1 to 10 bytes
     */
    public static int ofCompactLong(long value) {
        long zigzag = (value << 1) ^ (value >> 63);
        return (70 - Long.numberOfLeadingZeros(zigzag | 1)) / 7;
    }

    /**
     * The size of {@link Exporter#writeString}.
     *
     * @param value the string, or null
     * @return length and UTF-8 bytes
     */
    public static int ofString(@Nullable String value) {
        if (value == null) {
            return ofCompactInt(-1);
        }
        int bytes = utf8Length(value);
        return Math.addExact(ofCompactInt(bytes), bytes);
    }

    /**
     * The number of UTF-8 bytes of a string, an unpaired surrogate counting as one ({@code '?'}).
     *
     * @param value the string, not null
     * @return bytes
     */
    public static int utf8Length(String value) {
        int chars = value.length();
        int bytes = chars;
        for (int i = 0; i < chars; i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                return utf8LengthBeyondAscii(value, i);
            }
        }
        return bytes;
    }

    private static int utf8LengthBeyondAscii(String value, int from) {
        int chars = value.length();
        long bytes = from;
        for (int i = from; i < chars; i++) {
            char c = value.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c) && i + 1 < chars && Character.isLowSurrogate(value.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes++;
            }
        }
        return Math.toIntExact(bytes);
    }

    /**
     * The size of {@link Exporter#writeBooleanArray(boolean[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofBooleanArray(boolean @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 1);
    }

    /**
     * The size of {@link Exporter#writeByteArray(byte[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofByteArray(byte @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 1);
    }

    /**
     * The size of {@link Exporter#writeShortArray(short[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofShortArray(short @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 2);
    }

    /**
     * The size of {@link Exporter#writeCharArray(char[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofCharArray(char @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 2);
    }

    /**
     * The size of {@link Exporter#writeIntArray(int[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofIntArray(int @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 4);
    }

    /**
     * The size of {@link Exporter#writeLongArray(long[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofLongArray(long @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 8);
    }

    /**
     * The size of {@link Exporter#writeFloatArray(float[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofFloatArray(float @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 4);
    }

    /**
     * The size of {@link Exporter#writeDoubleArray(double[])}.
     *
     * @param value the array, or null
     * @return length and items, bytes
     */
    public static int ofDoubleArray(double @Nullable [] value) {
        return value == null ? ofCompactInt(-1) : ofArray(value.length, 8);
    }

    /**
     * The size of an array, or of a range of one, written with its length.
     *
     * @param length the number of items
     * @param itemBytes the size of one item: 1, 2, 4 or 8
     * @return length and items, bytes
     * @throws ArithmeticException when that is more than 2 GiB
     */
    public static int ofArray(int length, int itemBytes) {
        return Math.addExact(ofCompactInt(length), Math.multiplyExact(length, itemBytes));
    }

    /**
     * The size of {@link Exporter#writeByteBuffer}.
     *
     * @param value the buffer
     * @return length and bytes
     */
    public static int ofByteBuffer(ByteBuffer value) {
        return ofArray(value.remaining(), 1);
    }

    /**
     * The size of {@link Exporter#writeSegment}.
     *
     * @param value the segment
     * @return length and bytes
     * @throws ArithmeticException when that is more than 2 GiB
     */
    public static int ofSegment(MemorySegment value) {
        return Math.toIntExact(Math.addExact(ofCompactLong(value.byteSize()), value.byteSize()));
    }
}
