package io.dxnet.runtime.wire;

import io.dxnet.Importable;
import io.dxnet.Importer;
import io.dxnet.jmh.NanosPerCall;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * The importer, item by item: nanoseconds for one item read from native memory; the JDK's direct
 * buffer beside it. Strings are allocated, nothing else.
 */
@OperationsPerInvocation(StructureExporter.ITEMS)
public class StructureImporter extends NanosPerCall {
    private static final int ITEMS = StructureExporter.ITEMS;
    private static final int MEMORY_BYTES = StructureExporter.MEMORY_BYTES;

    /** Reads one piece of memory, again and again. */
    static final class In extends SegmentImporter {
        In(MemorySegment memory) {
            segment = memory;
            limit = MEMORY_BYTES;
        }

        In begin() {
            position = 0;
            return this;
        }

        @Override
        protected void nextPiece() {
            throw new IllegalStateException("more than " + MEMORY_BYTES + " bytes");
        }
    }

    /** Three fields, as a small nested object has. */
    private static final class Point implements Importable {
        int x;
        int y;
        long id;

        @Override
        public void importObject(Importer importer) {
            x = importer.readInt();
            y = importer.readInt();
            id = importer.readLong();
        }
    }

    private final In numbers = new In(Arena.global().allocate(MEMORY_BYTES, Long.BYTES));
    private final In asciiStrings = new In(strings(StructureExporter.ASCII));
    private final In strings = new In(strings(StructureExporter.NOT_ASCII));
    private final Point point = new Point();
    private final byte[] bytes = new byte[64];
    private final long[] longs = new long[8];
    private ByteBuffer buffer;
    private ByteBuffer stringBuffer;

    private static MemorySegment strings(String text) {
        byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
        MemorySegment memory = Arena.global().allocate(MEMORY_BYTES, Long.BYTES);
        ByteBuffer to = memory.asByteBuffer();
        for (int i = 0; i < ITEMS; i++) {
            to.put((byte) WireFormat.zigzag(encoded.length)).put(encoded);
        }
        return memory;
    }

    @Setup
    public void allocate() {
        buffer = ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        stringBuffer = ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        byte[] encoded = StructureExporter.ASCII.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < ITEMS; i++) {
            stringBuffer.putInt(encoded.length).put(encoded);
        }
    }

    @Benchmark
    public int readByte() {
        In from = numbers.begin();
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += from.readByte();
        }
        return sum;
    }

    @Benchmark
    public int readInt() {
        In from = numbers.begin();
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += from.readInt();
        }
        return sum;
    }

    @Benchmark
    public long readLong() {
        In from = numbers.begin();
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += from.readLong();
        }
        return sum;
    }

    @Benchmark
    public double readDouble() {
        In from = numbers.begin();
        double sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += from.readDouble();
        }
        return sum;
    }

    /** Numbers of one byte. */
    @Benchmark
    public int readCompactInt() {
        In from = numbers.begin();
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += from.readCompactInt();
        }
        return sum;
    }

    /** 16 characters. */
    @Benchmark
    public int readAsciiString() {
        In from = asciiStrings.begin();
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += from.readString().length();
        }
        return sum;
    }

    /** 16 characters, one of them of two bytes. */
    @Benchmark
    public int readString() {
        In from = strings.begin();
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += from.readString().length();
        }
        return sum;
    }

    /** 64 bytes. */
    @Benchmark
    public long readBytes() {
        In from = numbers.begin();
        for (int i = 0; i < ITEMS; i++) {
            from.readBytes(bytes);
        }
        return from.position + bytes[0];
    }

    /** 64 bytes. */
    @Benchmark
    public long readLongs() {
        In from = numbers.begin();
        for (int i = 0; i < ITEMS; i++) {
            from.readLongs(longs);
        }
        return from.position + longs[0];
    }

    /** Two {@code int}s and a {@code long}, into an object that is there already. */
    @Benchmark
    public long readObject() {
        In from = numbers.begin();
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            from.readObject(point);
            sum += point.x + point.y + point.id;
        }
        return sum;
    }

    @Benchmark
    public int bufferInt() {
        buffer.clear();
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += buffer.getInt();
        }
        return sum;
    }

    @Benchmark
    public long bufferLong() {
        buffer.clear();
        long sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            sum += buffer.getLong();
        }
        return sum;
    }

    /** 64 bytes. */
    @Benchmark
    public int bufferBytes() {
        buffer.clear();
        for (int i = 0; i < ITEMS; i++) {
            buffer.get(bytes);
        }
        return buffer.position() + bytes[0];
    }

    /** 16 characters. */
    @Benchmark
    public int bufferAsciiString() {
        stringBuffer.clear();
        int sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            byte[] encoded = new byte[stringBuffer.getInt()];
            stringBuffer.get(encoded);
            sum += new String(encoded, StandardCharsets.UTF_8).length();
        }
        return sum;
    }
}
