package io.dxnet.runtime.wire;

import io.dxnet.Exportable;
import io.dxnet.Exporter;
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
 * The exporter, item by item: nanoseconds for one item written to native memory; the
 * JDK's direct buffer beside it.
 */
@OperationsPerInvocation(StructureExporter.ITEMS)
public class StructureExporter extends NanosPerCall {
    static final int ITEMS = 16;
    static final int MEMORY_BYTES = 4096;
    static final String ASCII = "sixteen letters.";
    static final String NOT_ASCII = "f\u00fcnfzehn Zeichen";

    /** Writes into one piece of memory, again and again. */
    static final class Out extends SegmentExporter {
        Out(MemorySegment memory) {
            segment = memory;
            limit = MEMORY_BYTES;
        }

        Out begin() {
            position = 0;
            return this;
        }

        @Override
        protected void nextPiece() {
            throw new IllegalStateException("more than " + MEMORY_BYTES + " bytes");
        }
    }

    /** Three fields, as a small nested object has. */
    static final class Point implements Exportable {
        int x = 1;
        int y = 2;
        long id = 3;

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeInt(x);
            exporter.writeInt(y);
            exporter.writeLong(id);
        }

        @Override
        public int sizeOfObject() {
            return 2 * Integer.BYTES + Long.BYTES;
        }
    }

    private final Out out = new Out(Arena.global().allocate(MEMORY_BYTES, Long.BYTES));
    private final Point point = new Point();
    private final byte[] bytes = new byte[64];
    private final long[] longs = new long[8];
    private ByteBuffer buffer;
    private int number;
    private String ascii;
    private String notAscii;

    @Setup
    public void allocate() {
        buffer = ByteBuffer.allocateDirect(MEMORY_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        ascii = ASCII;
        notAscii = NOT_ASCII;
    }

    @Benchmark
    public long writeByte() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeByte((byte) i);
        }
        return to.position;
    }

    @Benchmark
    public long writeShort() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeShort((short) i);
        }
        return to.position;
    }

    @Benchmark
    public long writeInt() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeInt(i);
        }
        return to.position;
    }

    @Benchmark
    public long writeLong() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeLong(i);
        }
        return to.position;
    }

    @Benchmark
    public long writeDouble() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeDouble(i);
        }
        return to.position;
    }

    /** Numbers of one to three bytes. */
    @Benchmark
    public long writeCompactInt() {
        Out to = out.begin();
        int n = number++;
        for (int i = 0; i < ITEMS; i++) {
            to.writeCompactInt(n >>> i & 0xffff);
        }
        return to.position;
    }

    /** 16 characters. */
    @Benchmark
    public long writeAsciiString() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeString(ascii);
        }
        return to.position;
    }

    /** 16 characters, one of them of two bytes. */
    @Benchmark
    public long writeString() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeString(notAscii);
        }
        return to.position;
    }

    /** 64 bytes. */
    @Benchmark
    public long writeBytes() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeBytes(bytes);
        }
        return to.position;
    }

    /** 64 bytes. */
    @Benchmark
    public long writeLongs() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeLongs(longs);
        }
        return to.position;
    }

    /** Two {@code int}s and a {@code long}. */
    @Benchmark
    public long writeObject() {
        Out to = out.begin();
        for (int i = 0; i < ITEMS; i++) {
            to.writeObject(point);
        }
        return to.position;
    }

    @Benchmark
    public int bufferInt() {
        buffer.clear();
        for (int i = 0; i < ITEMS; i++) {
            buffer.putInt(i);
        }
        return buffer.position();
    }

    @Benchmark
    public int bufferLong() {
        buffer.clear();
        for (int i = 0; i < ITEMS; i++) {
            buffer.putLong(i);
        }
        return buffer.position();
    }

    /** 64 bytes. */
    @Benchmark
    public int bufferBytes() {
        buffer.clear();
        for (int i = 0; i < ITEMS; i++) {
            buffer.put(bytes);
        }
        return buffer.position();
    }

    /** 16 characters. */
    @Benchmark
    public int bufferAsciiString() {
        buffer.clear();
        for (int i = 0; i < ITEMS; i++) {
            byte[] encoded = ascii.getBytes(StandardCharsets.UTF_8);
            buffer.putInt(encoded.length).put(encoded);
        }
        return buffer.position();
    }
}
