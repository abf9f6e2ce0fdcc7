package io.dxnet;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the items of one message straight from the received buffers (DXNet §V-B), in the order in
 * which {@link Exporter} wrote them. A message may lie in several buffers and an item may be cut
 * anywhere; the importer crosses the cuts itself.
 *
 * <p>Used by one thread, a message handler, and only during {@link Importable#importObject}.
 * Reading past the end of the message, or a length that does not fit into the rest of the message,
 * throws {@link MessageFormatException} and the message is not delivered. Nothing is allocated
 * before its length was checked.
 */
public interface Importer {
    /**
     * The number of bytes of the message that were not read yet.
     *
     * @return bytes, 0 or more
     */
    int remaining();

    /**
     * Reads a boolean, as one byte, 0 or 1.
     *
     * @return the value
     */
    boolean readBoolean();

    /**
     * Reads a byte.
     *
     * @return the value
     */
    byte readByte();

    /**
     * Reads a 16-bit integer.
     *
     * @return the value
     */
    short readShort();

    /**
     * Reads a UTF-16 code unit, 2 bytes.
     *
     * @return the value
     */
    char readChar();

    /**
     * Reads a 32-bit integer.
     *
     * @return the value
     */
    int readInt();

    /**
     * Reads a 64-bit integer.
     *
     * @return the value
     */
    long readLong();

    /**
     * Reads an IEEE 754 single, 4 bytes.
     *
     * @return the value
     */
    float readFloat();

    /**
     * Reads an IEEE 754 double, 8 bytes.
     *
     * @return the value
     */
    double readDouble();

    /**
     * Reads a 32-bit integer that {@link Exporter#writeCompactInt} wrote.
     *
     * @return the value
     */
    int readCompactInt();

    /**
     * Reads a 64-bit integer that {@link Exporter#writeCompactLong} wrote.
     *
     * @return the value
     */
    long readCompactLong();

    /**
     * Reads a string.
     *
     * @return the string, or null where null was written
     */
    @Nullable
    String readString();

    /**
     * Reads a nested object into an existing one.
     *
     * @param value the object to fill, not null
     * @throws MessageFormatException when objects are nested deeper than
     *     {@link Codec#NESTING_MAX}: no message can use up the stack
     */
    void readObject(Importable value);

    /**
     * Reads a nested object into a new one.
     *
     * @param <T> its type
     * @param factory makes the object
     * @return the object that the factory made, filled
     */
    default <T extends Importable> T readObject(Supplier<T> factory) {
        T value = factory.get();
        readObject(value);
        return value;
    }

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    boolean @Nullable [] readBooleanArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readBooleans(boolean[] into) {
        readBooleans(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readBooleans(boolean[] into, int offset, int length);

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    byte @Nullable [] readByteArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readBytes(byte[] into) {
        readBytes(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readBytes(byte[] into, int offset, int length);

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    short @Nullable [] readShortArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readShorts(short[] into) {
        readShorts(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readShorts(short[] into, int offset, int length);

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    char @Nullable [] readCharArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readChars(char[] into) {
        readChars(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readChars(char[] into, int offset, int length);

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    int @Nullable [] readIntArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readInts(int[] into) {
        readInts(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readInts(int[] into, int offset, int length);

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    long @Nullable [] readLongArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readLongs(long[] into) {
        readLongs(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readLongs(long[] into, int offset, int length);

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    float @Nullable [] readFloatArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readFloats(float[] into) {
        readFloats(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readFloats(float[] into, int offset, int length);

    /**
     * Reads an array with its length.
     *
     * @return a new array, or null where null was written
     */
    double @Nullable [] readDoubleArray();

    /**
     * Reads as many items as the array is long; no length is read.
     *
     * @param into the array to fill
     */
    default void readDoubles(double[] into) {
        readDoubles(into, 0, into.length);
    }

    /**
     * Reads items into a range of an array; no length is read.
     *
     * @param into the array to fill
     * @param offset the index of the first item to fill
     * @param length the number of items to read
     * @throws IndexOutOfBoundsException when the range is not inside the array
     */
    void readDoubles(double[] into, int offset, int length);

    /**
     * Reads what {@link Exporter#writeByteBuffer} wrote.
     *
     * @return a new heap buffer, position 0, limit and capacity the number of bytes
     */
    ByteBuffer readByteBuffer();

    /**
     * Reads bytes until the buffer has none remaining; no length is read. The
     * buffer's position moves to its limit.
     *
     * @param into the buffer to fill
     */
    void readBytes(ByteBuffer into);

    /**
     * Reads what {@link Exporter#writeSegment} wrote.
     *
     * @return a new heap segment
     */
    MemorySegment readSegment();

    /**
     * Reads as many bytes as the segment is long; no length is read.
     *
     * @param into the segment to fill
     */
    void readBytes(MemorySegment into);

    /**
     * Reads bytes into a part of a segment, as {@link #readBytes(MemorySegment)} does
     * into a slice of it, which this saves; no length is read.
     *
     * @param into the segment
     * @param offset of the first byte to fill
     * @param length how many bytes
     */
    default void readBytes(MemorySegment into, long offset, long length) {
        readBytes(into.asSlice(offset, length));
    }
}
