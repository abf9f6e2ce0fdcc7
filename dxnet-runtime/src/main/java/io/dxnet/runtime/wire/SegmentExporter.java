package io.dxnet.runtime.wire;

import static io.dxnet.runtime.wire.WireFormat.BYTE;
import static io.dxnet.runtime.wire.WireFormat.CHAR;
import static io.dxnet.runtime.wire.WireFormat.DOUBLE;
import static io.dxnet.runtime.wire.WireFormat.FLOAT;
import static io.dxnet.runtime.wire.WireFormat.INT;
import static io.dxnet.runtime.wire.WireFormat.LONG;
import static io.dxnet.runtime.wire.WireFormat.NULL_LENGTH;
import static io.dxnet.runtime.wire.WireFormat.SHIFT_2;
import static io.dxnet.runtime.wire.WireFormat.SHIFT_4;
import static io.dxnet.runtime.wire.WireFormat.SHIFT_8;
import static io.dxnet.runtime.wire.WireFormat.SHORT;

import io.dxnet.Codec;
import io.dxnet.Exportable;
import io.dxnet.Exporter;
import io.dxnet.MessagingUsageException;
import io.dxnet.ObjectSize;
import io.dxnet.transport.memory.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes items into a sequence of contiguous pieces of memory (DXNet §V-A; one streaming
 * writer stands for the paper's several exporters). Used by one thread at a time;
 * one instance serves for any number of messages and allocates nothing.
 *
 * <p>A subclass sets {@link #segment}, {@link #position} and {@link #limit} to the first piece,
 * and to the next one each time {@link #nextPiece} is called. An item may be cut at any byte.
 *
 * <p>Performance sketch: a number that lies in one piece is two loads, one compare,
 * one unaligned store and the new position.
 *
 * <p>It has more than 400 lines: one method for each method of the interface.
 */
public abstract class SegmentExporter extends SegmentCursor implements Exporter {
    /** The longest compact number, bytes. */
    private static final int COMPACT_BYTES_MAX = 10;

    /** Strings up to here have a length of one byte, and ASCII ones are written in one pass. */
    private static final int SHORT_STRING_CHARS = 63;

    private static final int SCRATCH_BYTES = 1024;
    private static final int UTF8_BYTES_MAX = 4;

    private final byte[] scratch = new byte[SCRATCH_BYTES];
    private int depth;

    /**
     * Moves to the next piece, as {@link SegmentCursor#nextPiece}. May wait.
     *
     * @throws MessagingUsageException when the message writes more than it announced
     */
    @Override
    protected abstract void nextPiece();

    // ---------------------------------------------------------------- numbers

    @Override
    public final void writeBoolean(boolean value) {
        writeByte(value ? (byte) 1 : 0);
    }

    @Override
    public final void writeByte(byte value) {
        long at = take(Byte.BYTES);
        if (at >= 0) {
            segment.set(BYTE, at, value);
        } else {
            writeCut(value, Byte.BYTES);
        }
    }

    @Override
    public final void writeShort(short value) {
        long at = take(Short.BYTES);
        if (at >= 0) {
            segment.set(SHORT, at, value);
        } else {
            writeCut(value, Short.BYTES);
        }
    }

    @Override
    public final void writeChar(char value) {
        writeShort((short) value);
    }

    @Override
    public final void writeInt(int value) {
        long at = take(Integer.BYTES);
        if (at >= 0) {
            segment.set(INT, at, value);
        } else {
            writeCut(value, Integer.BYTES);
        }
    }

    @Override
    public final void writeLong(long value) {
        long at = take(Long.BYTES);
        if (at >= 0) {
            segment.set(LONG, at, value);
        } else {
            writeCut(value, Long.BYTES);
        }
    }

    @Override
    public final void writeFloat(float value) {
        writeInt(Float.floatToRawIntBits(value));
    }

    @Override
    public final void writeDouble(double value) {
        writeLong(Double.doubleToRawLongBits(value));
    }

    @Override
    public final void writeCompactInt(int value) {
        int bits = WireFormat.zigzag(value);
        if (bits >>> 7 == 0) {
            writeByte((byte) bits);
        } else {
            writeGroups(Integer.toUnsignedLong(bits));
        }
    }

    @Override
    public final void writeCompactLong(long value) {
        long bits = WireFormat.zigzag(value);
        if (bits >>> 7 == 0) {
            writeByte((byte) bits);
        } else {
            writeGroups(bits);
        }
    }

    /** A number that doesn't fit into the piece, byte by byte. */
    private void writeCut(long bits, int bytes) {
        for (int i = 0; i < bytes; i++) {
            if (position == limit) {
                nextPiece();
            }
            segment.set(BYTE, position++, (byte) (bits >>> (i * Byte.SIZE)));
        }
    }

    private void writeGroups(long bits) {
        if (limit - position < COMPACT_BYTES_MAX) {
            writeGroupsCut(bits);
            return;
        }
        MemorySegment to = segment;
        long at = position;
        long left = bits;
        while (left >>> 7 != 0) {
            to.set(BYTE, at++, (byte) (left | 0x80));
            left >>>= 7;
        }
        to.set(BYTE, at, (byte) left);
        position = at + 1;
    }

    private void writeGroupsCut(long bits) {
        long left = bits;
        while (left >>> 7 != 0) {
            writeByte((byte) (left | 0x80));
            left >>>= 7;
        }
        writeByte((byte) left);
    }

    // ---------------------------------------------------------------- strings and objects

    @Override
    public final void writeString(@Nullable String value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else if (!writeShortAscii(value)) {
            writeLongString(value);
        }
    }

    /**
     * Writes a short string in one pass, in the hope that it is ASCII and fits; false,
     * and nothing written, when it isn't.
     */
    private boolean writeShortAscii(String value) {
        int chars = value.length();
        long at = position;
        if (chars > SHORT_STRING_CHARS || chars >= limit - at) {
            return false;
        }
        MemorySegment to = segment;
        for (int i = 0; i < chars; i++) {
            char c = value.charAt(i);
            if (c >= 0x80) {
                return false;
            }
            to.set(BYTE, at + 1 + i, (byte) c);
        }
        to.set(BYTE, at, (byte) WireFormat.zigzag(chars));
        position = at + 1 + chars;
        return true;
    }

    private void writeLongString(String value) {
        if (isAscii(value)) {
            writeCompactInt(value.length());
            writeAscii(value);
        } else {
            writeCompactInt(ObjectSize.utf8Length(value));
            writeUtf8(value);
        }
    }

    private static boolean isAscii(String value) {
        int chars = value.length();
        for (int i = 0; i < chars; i++) {
            if (value.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /**
     * Copies the low byte of each char: the only bulk copy out of a string that allocates nothing.
     */
    @SuppressWarnings("deprecation")
    private void writeAscii(String value) {
        int chars = value.length();
        int from = 0;
        while (from < chars) {
            int count = Math.min(chars - from, SCRATCH_BYTES);
            value.getBytes(from, from + count, scratch, 0);
            writeBytesChecked(scratch, 0, count);
            from += count;
        }
    }

    private void writeUtf8(String value) {
        int chars = value.length();
        int filled = 0;
        for (int i = 0; i < chars; ) {
            int codePoint = value.codePointAt(i);
            i += Character.charCount(codePoint);
            filled = encode(codePoint, filled);
            if (filled > SCRATCH_BYTES - UTF8_BYTES_MAX) {
                writeBytesChecked(scratch, 0, filled);
                filled = 0;
            }
        }
        writeBytesChecked(scratch, 0, filled);
    }

    /** Appends the UTF-8 of a code point to the scratch; returns the place of the next one. */
    private int encode(int codePoint, int from) {
        byte[] to = scratch;
        int at = from;
        if (codePoint < 0x80) {
            to[at++] = (byte) codePoint;
        } else if (codePoint < 0x800) {
            to[at++] = (byte) (0xC0 | codePoint >> 6);
            to[at++] = (byte) (0x80 | codePoint & 0x3F);
        } else if (codePoint >= Character.MIN_SUPPLEMENTARY_CODE_POINT) {
            to[at++] = (byte) (0xF0 | codePoint >> 18);
            to[at++] = (byte) (0x80 | codePoint >> 12 & 0x3F);
            to[at++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
            to[at++] = (byte) (0x80 | codePoint & 0x3F);
        } else if (Character.isSurrogate((char) codePoint)) {
            to[at++] = '?';
        } else {
            to[at++] = (byte) (0xE0 | codePoint >> 12);
            to[at++] = (byte) (0x80 | codePoint >> 6 & 0x3F);
            to[at++] = (byte) (0x80 | codePoint & 0x3F);
        }
        return at;
    }

    @Override
    public final void writeObject(Exportable value) {
        if (depth == Codec.NESTING_MAX) {
            throw new MessagingUsageException("objects are nested deeper than " + Codec.NESTING_MAX
                    + ", the last one a " + value.getClass().getName() + ": write long chains as a list");
        }
        depth++;
        try {
            value.exportObject(this);
        } finally {
            depth--;
        }
    }

    // ---------------------------------------------------------------- arrays

    @Override
    public final void writeBooleanArray(boolean @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeBooleanArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeBooleanArray(boolean[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeFlags(value, offset, length);
    }

    @Override
    public final void writeBooleans(boolean[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeFlags(value, offset, length);
    }

    @Override
    public final void writeByteArray(byte @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeByteArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeByteArray(byte[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeBytesChecked(value, offset, length);
    }

    @Override
    public final void writeBytes(byte[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeBytesChecked(value, offset, length);
    }

    private void writeBytesChecked(byte[] value, int offset, int length) {
        long at = take(length);
        if (at >= 0) {
            MemorySegment.copy(value, offset, segment, BYTE, at, length);
        } else {
            writeItems(value, offset, length, BYTE, 0);
        }
    }

    @Override
    public final void writeShortArray(short @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeShortArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeShortArray(short[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeItems(value, offset, length, SHORT, SHIFT_2);
    }

    @Override
    public final void writeShorts(short[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeItems(value, offset, length, SHORT, SHIFT_2);
    }

    @Override
    public final void writeCharArray(char @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeCharArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeCharArray(char[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeItems(value, offset, length, CHAR, SHIFT_2);
    }

    @Override
    public final void writeChars(char[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeItems(value, offset, length, CHAR, SHIFT_2);
    }

    @Override
    public final void writeIntArray(int @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeIntArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeIntArray(int[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeItems(value, offset, length, INT, SHIFT_4);
    }

    @Override
    public final void writeInts(int[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeItems(value, offset, length, INT, SHIFT_4);
    }

    @Override
    public final void writeLongArray(long @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeLongArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeLongArray(long[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeItems(value, offset, length, LONG, SHIFT_8);
    }

    @Override
    public final void writeLongs(long[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeItems(value, offset, length, LONG, SHIFT_8);
    }

    @Override
    public final void writeFloatArray(float @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeFloatArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeFloatArray(float[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeItems(value, offset, length, FLOAT, SHIFT_4);
    }

    @Override
    public final void writeFloats(float[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeItems(value, offset, length, FLOAT, SHIFT_4);
    }

    @Override
    public final void writeDoubleArray(double @Nullable [] value) {
        if (value == null) {
            writeCompactInt(NULL_LENGTH);
        } else {
            writeDoubleArray(value, 0, value.length);
        }
    }

    @Override
    public final void writeDoubleArray(double[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeCompactInt(length);
        writeItems(value, offset, length, DOUBLE, SHIFT_8);
    }

    @Override
    public final void writeDoubles(double[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        writeItems(value, offset, length, DOUBLE, SHIFT_8);
    }

    /** Whole items by bulk copies, piece by piece; those that lie across two pieces alone. */
    private void writeItems(Object array, int offset, int length, ValueLayout layout, int shift) {
        int next = offset;
        int end = offset + length;
        while (next < end) {
            int whole = (int) Math.min(end - next, (limit - position) >> shift);
            if (whole > 0) {
                MemorySegment.copy(array, next, segment, layout, position, whole);
                position += (long) whole << shift;
                next += whole;
            }
            if (next < end) {
                writeCut(bits(array, next), 1 << shift);
                next++;
            }
        }
    }

    private static long bits(Object array, int index) {
        return switch (array) {
            case byte[] items -> items[index];
            case short[] items -> items[index];
            case char[] items -> items[index];
            case int[] items -> items[index];
            case long[] items -> items[index];
            case float[] items -> Float.floatToRawIntBits(items[index]);
            case double[] items -> Double.doubleToRawLongBits(items[index]);
            default -> throw new AssertionError(array.getClass());
        };
    }

    private void writeFlags(boolean[] array, int offset, int length) {
        int next = offset;
        int end = offset + length;
        while (next < end) {
            if (position == limit) {
                nextPiece();
            }
            MemorySegment to = segment;
            long at = position;
            int count = (int) Math.min(end - next, limit - at);
            for (int i = 0; i < count; i++) {
                to.set(BYTE, at + i, array[next + i] ? (byte) 1 : 0);
            }
            position = at + count;
            next += count;
        }
    }

    // ---------------------------------------------------------------- buffers and segments

    @Override
    public final void writeByteBuffer(ByteBuffer value) {
        writeCompactInt(value.remaining());
        writeBytes(value);
    }

    @Override
    public final void writeBytes(ByteBuffer value) {
        if (value.hasArray()) {
            writeItems(value.array(), value.arrayOffset() + value.position(), value.remaining(), BYTE, 0);
        } else {
            writeDirect(value);
        }
    }

    /** Through the scratch: a segment of the buffer would be an object for each. */
    private void writeDirect(ByteBuffer value) {
        int end = value.limit();
        int from = value.position();
        while (from < end) {
            int count = Math.min(end - from, SCRATCH_BYTES);
            value.get(from, scratch, 0, count);
            writeBytesChecked(scratch, 0, count);
            from += count;
        }
    }

    @Override
    public final void writeSegment(MemorySegment value) {
        writeCompactLong(value.byteSize());
        writeBytes(value);
    }

    @Override
    public final void writeBytes(MemorySegment value) {
        writeBytes(value, 0, value.byteSize());
    }

    @Override
    public final void writeBytes(MemorySegment value, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, value.byteSize());
        long next = offset;
        long end = offset + length;
        while (next < end) {
            if (position == limit) {
                nextPiece();
            }
            long count = Math.min(end - next, limit - position);
            MemorySegment.copy(value, next, segment, position, count);
            position += count;
            next += count;
        }
        if (value.isMapped()) {
            Faults.raise();
        }
    }
}
