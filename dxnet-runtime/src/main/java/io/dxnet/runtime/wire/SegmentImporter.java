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
import io.dxnet.Importable;
import io.dxnet.Importer;
import io.dxnet.MessageFormatException;
import io.dxnet.transport.memory.Faults;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads items from a sequence of contiguous pieces of memory (DXNet §V-B; one streaming reader
 * stands for the paper's several importers). Used by one thread at a time; one instance serves
 * for any number of messages and allocates what it returns, nothing else.
 *
 * <p>A subclass sets {@link #segment}, {@link #position}, {@link #limit} and {@link #beyond}
 * to the first piece of a message, and to the next one each time {@link #nextPiece} is called.
 * An item may be cut at any byte. What is read is compared with {@link #remaining} first,
 * so nothing is read past the message, and no length from the wire is believed.
 *
 * <p>It has more than 400 lines: one method for each method of the interface.
 */
public abstract class SegmentImporter extends SegmentCursor implements Importer {
    private static final int SCRATCH_BYTES = 1024;
    private static final int SCRATCH_BYTES_MAX = 64 << 10;

    private static final int INT_GROUPS_MAX = 5;
    private static final int LONG_GROUPS_MAX = 10;

    /** Bytes of the message that lie in further pieces. */
    protected int beyond;

    private byte[] scratch = new byte[SCRATCH_BYTES];
    private int depth;

    /**
     * Moves to the next piece, as {@link SegmentCursor#nextPiece}, and subtracts its bytes from
     * {@link #beyond}. Called when that is more than 0. Never waits: the message is complete.
     */
    @Override
    protected abstract void nextPiece();

    @Override
    public final int remaining() {
        return (int) (limit - position) + beyond;
    }

    // ---------------------------------------------------------------- numbers

    @Override
    public final boolean readBoolean() {
        return flag(readByte());
    }

    @Override
    public final byte readByte() {
        long at = take(Byte.BYTES);
        return at >= 0 ? segment.get(BYTE, at) : (byte) readCut(Byte.BYTES);
    }

    @Override
    public final short readShort() {
        long at = take(Short.BYTES);
        return at >= 0 ? segment.get(SHORT, at) : (short) readCut(Short.BYTES);
    }

    @Override
    public final char readChar() {
        return (char) readShort();
    }

    @Override
    public final int readInt() {
        long at = take(Integer.BYTES);
        return at >= 0 ? segment.get(INT, at) : (int) readCut(Integer.BYTES);
    }

    @Override
    public final long readLong() {
        long at = take(Long.BYTES);
        return at >= 0 ? segment.get(LONG, at) : readCut(Long.BYTES);
    }

    @Override
    public final float readFloat() {
        return Float.intBitsToFloat(readInt());
    }

    @Override
    public final double readDouble() {
        return Double.longBitsToDouble(readLong());
    }

    @Override
    public final int readCompactInt() {
        byte first = readByte();
        return WireFormat.unzigzag(first >= 0 ? first : (int) readGroups(first, INT_GROUPS_MAX, Integer.SIZE));
    }

    @Override
    public final long readCompactLong() {
        byte first = readByte();
        return WireFormat.unzigzag(first >= 0 ? (long) first : readGroups(first, LONG_GROUPS_MAX, Long.SIZE));
    }

    /** A number that doesn't lie in one piece, byte by byte. */
    private long readCut(int bytes) {
        if (bytes > remaining()) {
            throw missing("a number", bytes);
        }
        long bits = 0;
        for (int i = 0; i < bytes; i++) {
            if (position == limit) {
                nextPiece();
            }
            bits |= (segment.get(BYTE, position++) & 0xFFL) << (i * Byte.SIZE);
        }
        return bits;
    }

    /** The rest of a compact number that has more than one byte. */
    private long readGroups(byte first, int groupsMax, int bitsMax) {
        long bits = first & 0x7F;
        int shift = 7;
        for (int group = 2; group < groupsMax; group++, shift += 7) {
            byte next = readByte();
            bits |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return bits;
            }
        }
        byte last = readByte();
        if (last >>> (bitsMax - shift) != 0) {
            throw new MessageFormatException("expected a compact number of at most " + bitsMax + " bits in " + groupsMax
                    + " bytes, but the last one is 0x" + Integer.toHexString(last & 0xFF) + "; " + left());
        }
        return bits | (long) last << shift;
    }

    private boolean flag(byte value) {
        if ((value & ~1) != 0) {
            throw new MessageFormatException("expected a boolean, 0 or 1, but it is " + value + "; " + left());
        }
        return value != 0;
    }

    // ---------------------------------------------------------------- strings and objects

    @Override
    public final @Nullable String readString() {
        int bytes = readLength(0);
        if (bytes <= 0) {
            return bytes == 0 ? "" : null;
        }
        byte[] utf8 = scratch(bytes);
        readBytesChecked(utf8, 0, bytes);
        return new String(utf8, 0, bytes, StandardCharsets.UTF_8);
    }

    /**
     * An array that is at least that long; it stays with this importer when it is
     * of a size that is worth keeping.
     */
    private byte[] scratch(int bytes) {
        if (bytes > SCRATCH_BYTES_MAX) {
            return new byte[bytes];
        }
        if (bytes > scratch.length) {
            scratch = new byte[Integer.highestOneBit(bytes - 1) << 1];
        }
        return scratch;
    }

    @Override
    public final void readObject(Importable value) {
        if (depth == Codec.NESTING_MAX) {
            throw new MessageFormatException("expected at most " + Codec.NESTING_MAX
                    + " nested objects, but there is a " + value.getClass().getName() + " inside; " + left());
        }
        depth++;
        try {
            value.importObject(this);
        } finally {
            depth--;
        }
    }

    // ---------------------------------------------------------------- arrays

    @Override
    public final boolean @Nullable [] readBooleanArray() {
        int length = readLength(0);
        if (length < 0) {
            return null;
        }
        boolean[] array = new boolean[length];
        readFlags(array, 0, length);
        return array;
    }

    @Override
    public final void readBooleans(boolean[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readFlags(into, offset, length);
    }

    @Override
    public final byte @Nullable [] readByteArray() {
        int length = readLength(0);
        if (length < 0) {
            return null;
        }
        byte[] array = new byte[length];
        readBytesChecked(array, 0, length);
        return array;
    }

    @Override
    public final void readBytes(byte[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readBytesChecked(into, offset, length);
    }

    private void readBytesChecked(byte[] into, int offset, int length) {
        long at = take(length);
        if (at >= 0) {
            MemorySegment.copy(segment, BYTE, at, into, offset, length);
        } else {
            readItems(into, offset, length, BYTE, 0);
        }
    }

    @Override
    public final short @Nullable [] readShortArray() {
        int length = readLength(SHIFT_2);
        if (length < 0) {
            return null;
        }
        short[] array = new short[length];
        readItems(array, 0, length, SHORT, SHIFT_2);
        return array;
    }

    @Override
    public final void readShorts(short[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readItems(into, offset, length, SHORT, SHIFT_2);
    }

    @Override
    public final char @Nullable [] readCharArray() {
        int length = readLength(SHIFT_2);
        if (length < 0) {
            return null;
        }
        char[] array = new char[length];
        readItems(array, 0, length, CHAR, SHIFT_2);
        return array;
    }

    @Override
    public final void readChars(char[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readItems(into, offset, length, CHAR, SHIFT_2);
    }

    @Override
    public final int @Nullable [] readIntArray() {
        int length = readLength(SHIFT_4);
        if (length < 0) {
            return null;
        }
        int[] array = new int[length];
        readItems(array, 0, length, INT, SHIFT_4);
        return array;
    }

    @Override
    public final void readInts(int[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readItems(into, offset, length, INT, SHIFT_4);
    }

    @Override
    public final long @Nullable [] readLongArray() {
        int length = readLength(SHIFT_8);
        if (length < 0) {
            return null;
        }
        long[] array = new long[length];
        readItems(array, 0, length, LONG, SHIFT_8);
        return array;
    }

    @Override
    public final void readLongs(long[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readItems(into, offset, length, LONG, SHIFT_8);
    }

    @Override
    public final float @Nullable [] readFloatArray() {
        int length = readLength(SHIFT_4);
        if (length < 0) {
            return null;
        }
        float[] array = new float[length];
        readItems(array, 0, length, FLOAT, SHIFT_4);
        return array;
    }

    @Override
    public final void readFloats(float[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readItems(into, offset, length, FLOAT, SHIFT_4);
    }

    @Override
    public final double @Nullable [] readDoubleArray() {
        int length = readLength(SHIFT_8);
        if (length < 0) {
            return null;
        }
        double[] array = new double[length];
        readItems(array, 0, length, DOUBLE, SHIFT_8);
        return array;
    }

    @Override
    public final void readDoubles(double[] into, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, into.length);
        readItems(into, offset, length, DOUBLE, SHIFT_8);
    }

    /** A length from the wire: -1 for null, or one whose items lie inside the message. */
    private int readLength(int shift) {
        int length = readCompactInt();
        if (length < NULL_LENGTH) {
            throw new MessageFormatException("expected a length, but it is " + length + "; " + left());
        }
        if ((long) length << shift > remaining()) {
            throw missing(length + " items", (long) length << shift);
        }
        return length;
    }

    /** Whole items by bulk copies, piece by piece; those that lie across two pieces alone. */
    private void readItems(Object array, int offset, int length, ValueLayout layout, int shift) {
        if ((long) length << shift > remaining()) {
            throw missing(length + " items", (long) length << shift);
        }
        int next = offset;
        int end = offset + length;
        while (next < end) {
            int whole = (int) Math.min(end - next, (limit - position) >> shift);
            if (whole > 0) {
                MemorySegment.copy(segment, layout, position, array, next, whole);
                position += (long) whole << shift;
                next += whole;
            }
            if (next < end) {
                set(array, next, readCut(1 << shift));
                next++;
            }
        }
    }

    private static void set(Object array, int index, long bits) {
        switch (array) {
            case byte[] items -> items[index] = (byte) bits;
            case short[] items -> items[index] = (short) bits;
            case char[] items -> items[index] = (char) bits;
            case int[] items -> items[index] = (int) bits;
            case long[] items -> items[index] = bits;
            case float[] items -> items[index] = Float.intBitsToFloat((int) bits);
            case double[] items -> items[index] = Double.longBitsToDouble(bits);
            default -> throw new AssertionError(array.getClass());
        }
    }

    private void readFlags(boolean[] array, int offset, int length) {
        if (length > remaining()) {
            throw missing(length + " items", length);
        }
        int next = offset;
        int end = offset + length;
        while (next < end) {
            if (position == limit) {
                nextPiece();
            }
            MemorySegment from = segment;
            long at = position;
            int count = (int) Math.min(end - next, limit - at);
            for (int i = 0; i < count; i++) {
                byte value = from.get(BYTE, at + i);
                if ((value & ~1) != 0) {
                    // The error shows what is left, wherever the array is cut.
                    position = at + i + 1;
                }
                array[next + i] = flag(value);
            }
            position = at + count;
            next += count;
        }
    }

    // ---------------------------------------------------------------- buffers and segments

    @Override
    public final ByteBuffer readByteBuffer() {
        byte[] bytes = readByteArray();
        if (bytes == null) {
            throw new MessageFormatException("expected the length of a buffer, but it is that of null; " + left());
        }
        return ByteBuffer.wrap(bytes);
    }

    @Override
    public final void readBytes(ByteBuffer into) {
        if (into.hasArray()) {
            readItems(into.array(), into.arrayOffset() + into.position(), into.remaining(), BYTE, 0);
            into.position(into.limit());
        } else {
            readDirect(into);
        }
    }

    /** Through the scratch: a segment of the buffer would be an object for each. */
    private void readDirect(ByteBuffer into) {
        if (into.remaining() > remaining()) {
            throw missing("a buffer", into.remaining());
        }
        while (into.hasRemaining()) {
            int count = Math.min(into.remaining(), scratch.length);
            readItems(scratch, 0, count, BYTE, 0);
            into.put(scratch, 0, count);
        }
    }

    @Override
    public final MemorySegment readSegment() {
        long bytes = readCompactLong();
        if (bytes < 0) {
            throw new MessageFormatException("expected the length of a segment, but it is " + bytes + "; " + left());
        }
        if (bytes > remaining()) {
            throw missing("a segment", bytes);
        }
        byte[] array = new byte[(int) bytes];
        readItems(array, 0, array.length, BYTE, 0);
        return MemorySegment.ofArray(array);
    }

    @Override
    public final void readBytes(MemorySegment into) {
        readBytes(into, 0, into.byteSize());
    }

    @Override
    public final void readBytes(MemorySegment into, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, into.byteSize());
        if (length > remaining()) {
            throw missing("a segment", length);
        }
        long next = offset;
        long end = offset + length;
        while (next < end) {
            if (position == limit) {
                nextPiece();
            }
            long count = Math.min(end - next, limit - position);
            MemorySegment.copy(segment, position, into, next, count);
            position += count;
            next += count;
        }
        if (into.isMapped()) {
            Faults.raise();
        }
    }

    // ---------------------------------------------------------------- errors

    private MessageFormatException missing(String what, long bytes) {
        return new MessageFormatException("expected " + what + " (" + bytes + " bytes), but " + left());
    }

    private String left() {
        return remaining() + " bytes of the message are left";
    }
}
