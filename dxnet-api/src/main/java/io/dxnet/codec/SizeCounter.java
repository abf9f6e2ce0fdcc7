package io.dxnet.codec;

import io.dxnet.Codec;
import io.dxnet.Exportable;
import io.dxnet.Exporter;
import io.dxnet.MessagingUsageException;
import io.dxnet.ObjectSize;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Counts the bytes that an exporter would write. One thread. */
public final class SizeCounter implements Exporter {
    private int bytes;
    private int depth;

    /** Starts at 0. */
    public SizeCounter() {}

    /**
     * {@return the number of bytes so far}
     */
    public int bytes() {
        return bytes;
    }

    private void add(int more) {
        bytes = Math.addExact(bytes, more);
    }

    private void addItems(int offset, int length, int arrayLength, int itemBytes) {
        Objects.checkFromIndexSize(offset, length, arrayLength);
        add(Math.multiplyExact(length, itemBytes));
    }

    @Override
    public void writeBoolean(boolean value) {
        add(Byte.BYTES);
    }

    @Override
    public void writeByte(byte value) {
        add(Byte.BYTES);
    }

    @Override
    public void writeShort(short value) {
        add(Short.BYTES);
    }

    @Override
    public void writeChar(char value) {
        add(Short.BYTES);
    }

    @Override
    public void writeInt(int value) {
        add(Integer.BYTES);
    }

    @Override
    public void writeLong(long value) {
        add(Long.BYTES);
    }

    @Override
    public void writeFloat(float value) {
        add(Integer.BYTES);
    }

    @Override
    public void writeDouble(double value) {
        add(Long.BYTES);
    }

    @Override
    public void writeCompactInt(int value) {
        add(ObjectSize.ofCompactInt(value));
    }

    @Override
    public void writeCompactLong(long value) {
        add(ObjectSize.ofCompactLong(value));
    }

    @Override
    public void writeString(@Nullable String value) {
        add(ObjectSize.ofString(value));
    }

    @Override
    public void writeObject(Exportable value) {
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

    @Override
    public void writeBooleanArray(boolean @Nullable [] value) {
        add(ObjectSize.ofBooleanArray(value));
    }

    @Override
    public void writeBooleanArray(boolean[] value, int offset, int length) {
        writeBooleans(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeBooleans(boolean[] value, int offset, int length) {
        addItems(offset, length, value.length, Byte.BYTES);
    }

    @Override
    public void writeByteArray(byte @Nullable [] value) {
        add(ObjectSize.ofByteArray(value));
    }

    @Override
    public void writeByteArray(byte[] value, int offset, int length) {
        writeBytes(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeBytes(byte[] value, int offset, int length) {
        addItems(offset, length, value.length, Byte.BYTES);
    }

    @Override
    public void writeShortArray(short @Nullable [] value) {
        add(ObjectSize.ofShortArray(value));
    }

    @Override
    public void writeShortArray(short[] value, int offset, int length) {
        writeShorts(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeShorts(short[] value, int offset, int length) {
        addItems(offset, length, value.length, Short.BYTES);
    }

    @Override
    public void writeCharArray(char @Nullable [] value) {
        add(ObjectSize.ofCharArray(value));
    }

    @Override
    public void writeCharArray(char[] value, int offset, int length) {
        writeChars(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeChars(char[] value, int offset, int length) {
        addItems(offset, length, value.length, Short.BYTES);
    }

    @Override
    public void writeIntArray(int @Nullable [] value) {
        add(ObjectSize.ofIntArray(value));
    }

    @Override
    public void writeIntArray(int[] value, int offset, int length) {
        writeInts(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeInts(int[] value, int offset, int length) {
        addItems(offset, length, value.length, Integer.BYTES);
    }

    @Override
    public void writeLongArray(long @Nullable [] value) {
        add(ObjectSize.ofLongArray(value));
    }

    @Override
    public void writeLongArray(long[] value, int offset, int length) {
        writeLongs(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeLongs(long[] value, int offset, int length) {
        addItems(offset, length, value.length, Long.BYTES);
    }

    @Override
    public void writeFloatArray(float @Nullable [] value) {
        add(ObjectSize.ofFloatArray(value));
    }

    @Override
    public void writeFloatArray(float[] value, int offset, int length) {
        writeFloats(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeFloats(float[] value, int offset, int length) {
        addItems(offset, length, value.length, Integer.BYTES);
    }

    @Override
    public void writeDoubleArray(double @Nullable [] value) {
        add(ObjectSize.ofDoubleArray(value));
    }

    @Override
    public void writeDoubleArray(double[] value, int offset, int length) {
        writeDoubles(value, offset, length);
        add(ObjectSize.ofCompactInt(length));
    }

    @Override
    public void writeDoubles(double[] value, int offset, int length) {
        addItems(offset, length, value.length, Long.BYTES);
    }

    @Override
    public void writeByteBuffer(ByteBuffer value) {
        add(ObjectSize.ofByteBuffer(value));
    }

    @Override
    public void writeBytes(ByteBuffer value) {
        add(value.remaining());
    }

    @Override
    public void writeSegment(MemorySegment value) {
        add(ObjectSize.ofSegment(value));
    }

    @Override
    public void writeBytes(MemorySegment value) {
        add(Math.toIntExact(value.byteSize()));
    }

    @Override
    public void writeBytes(MemorySegment value, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, value.byteSize());
        add(Math.toIntExact(length));
    }
}
