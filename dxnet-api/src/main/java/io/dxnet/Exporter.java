package io.dxnet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the items of one message straight into the connection's outgoing ring buffer (DXNet §V-A).
 * All numbers are little endian and unaligned.
 *
 * <p>Two shapes of arrays: {@code writeXArray} writes the length (a compact number; -1 stands for
 * {@code null}) and the items, and {@link Importer} returns a new array; {@code writeXs} writes the
 * items alone, and the reader supplies an array of the right length.
 *
 * <p>Used by one thread, the one that sends, and only during {@link Exportable#exportObject}.
 * Writing more bytes than {@link Exportable#sizeOfObject()} announced throws
 * {@link MessagingUsageException}.
 *
 * <p>It has more than 400 lines: one method for each kind of item, with its documentation.
 */
public interface Exporter {
    /**
     * Writes a boolean, as one byte, 0 or 1.
     *
     * @param value the value
     */
    void writeBoolean(boolean value);

    /**
     * Writes a byte.
     *
     * @param value the value
     */
    void writeByte(byte value);

    /**
     * Writes a 16-bit integer.
     *
     * @param value the value
     */
    void writeShort(short value);

    /**
     * Writes a UTF-16 code unit, 2 bytes.
     *
     * @param value the value
     */
    void writeChar(char value);

    /**
     * Writes a 32-bit integer.
     *
     * @param value the value
     */
    void writeInt(int value);

    /**
     * Writes a 64-bit integer.
     *
     * @param value the value
     */
    void writeLong(long value);

    /**
     * Writes an IEEE 754 single, 4 bytes.
     *
     * @param value the value
     */
    void writeFloat(float value);

    /**
     * Writes an IEEE 754 double, 8 bytes.
     *
     * @param value the value
     */
    void writeDouble(double value);

    /**
     * Writes a 32-bit integer in 1 to 5 bytes: zigzag, then base 128 with the low group
     * first. -64 to 63 need one byte.
     *
     * @param value the value
     */
    void writeCompactInt(int value);

    /**
     * Writes a 64-bit integer in 1 to 10 bytes: zigzag, then base 128 with the low group
     * first. -64 to 63 need one byte.
     *
     * @param value the value
     */
    void writeCompactLong(long value);

    /**
     * Writes a string as its length in bytes (a compact number; -1 for {@code null}) and its UTF-8
     * bytes. An unpaired surrogate becomes {@code '?'}.
     *
     * @param value the string, or null
     */
    void writeString(@Nullable String value);

    /**
     * Writes a nested object: its items, with nothing before or after them.
     *
     * @param value the object, not null
     * @throws MessagingUsageException when objects are nested deeper than {@link Codec#NESTING_MAX}
     */
    void writeObject(Exportable value);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeBooleanArray(boolean @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeBooleanArray(boolean[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeBooleans(boolean[] value) {
        writeBooleans(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeBooleans(boolean[] value, int offset, int length);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeByteArray(byte @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeByteArray(byte[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeBytes(byte[] value) {
        writeBytes(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeBytes(byte[] value, int offset, int length);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeShortArray(short @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeShortArray(short[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeShorts(short[] value) {
        writeShorts(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeShorts(short[] value, int offset, int length);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeCharArray(char @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeCharArray(char[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeChars(char[] value) {
        writeChars(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeChars(char[] value, int offset, int length);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeIntArray(int @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeIntArray(int[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeInts(int[] value) {
        writeInts(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeInts(int[] value, int offset, int length);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeLongArray(long @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeLongArray(long[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeLongs(long[] value) {
        writeLongs(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeLongs(long[] value, int offset, int length);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeFloatArray(float @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeFloatArray(float[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeFloats(float[] value) {
        writeFloats(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeFloats(float[] value, int offset, int length);

    /**
     * Writes the length and the items of an array.
     *
     * @param value the array, or null
     */
    void writeDoubleArray(double @Nullable [] value);

    /**
     * Writes the length and the items of a range of an array.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeDoubleArray(double[] value, int offset, int length);

    /**
     * Writes the items of an array without its length.
     *
     * @param value the array, not null
     */
    default void writeDoubles(double[] value) {
        writeDoubles(value, 0, value.length);
    }

    /**
     * Writes a range of an array without a length.
     *
     * @param value the array, not null
     * @param offset the index of the first item
     * @param length the number of items
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void writeDoubles(double[] value, int offset, int length);

    /**
     * Writes the length and the bytes between the buffer's position and
     * limit; the buffer's position stays.
     *
     * @param value the buffer, not null
     */
    void writeByteBuffer(ByteBuffer value);

    /**
     * Writes the bytes between the buffer's position and limit without a
     * length; the buffer's position stays.
     *
     * @param value the buffer, not null
     */
    void writeBytes(ByteBuffer value);

    /**
     * Writes the length (a compact 64-bit number) and the bytes of a segment.
     *
     * @param value the segment, not null
     */
    void writeSegment(MemorySegment value);

    /**
     * Writes the bytes of a segment without a length.
     *
     * @param value the segment, not null
     */
    void writeBytes(MemorySegment value);

    /**
     * Writes some bytes of a segment without a length, as
     * {@link #writeBytes(MemorySegment)} does with a slice of it, which this saves.
     *
     * @param value the segment, not null
     * @param offset of the first byte
     * @param length how many bytes
     */
    default void writeBytes(MemorySegment value, long offset, long length) {
        writeBytes(value.asSlice(offset, length));
    }
}
