package io.dxnet.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Setup;

/**
 * Java's side of an exchange of 64 bytes (Ibdxnet, Figure 2, "ba", "dbb", "u"): nanoseconds for writing eight {@code long}s and reading them
 * back.
 */
@SuppressWarnings("restricted")
public class ExchangeMemory extends NanosPerCall {
    static final int WORDS = 8;
    static final int BYTES = WORDS * Long.BYTES;
    private static final VarHandle ARRAY = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final MemorySegment EVERYTHING = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private byte[] array;
    private ByteBuffer buffer;
    private MemorySegment heap;
    private MemorySegment confined;
    private MemorySegment shared;
    private MemorySegment global;
    private long address;
    private long value;

    @Setup
    public void allocate() {
        array = new byte[BYTES];
        buffer = ByteBuffer.allocateDirect(BYTES).order(ByteOrder.nativeOrder());
        heap = MemorySegment.ofArray(new byte[BYTES]);
        confined = Arena.ofConfined().allocate(BYTES, Long.BYTES);
        shared = Arena.ofShared().allocate(BYTES, Long.BYTES);
        global = Arena.global().allocate(BYTES, Long.BYTES);
        address = Arena.global().allocate(BYTES, Long.BYTES).address();
    }

    @Benchmark
    @SuppressWarnings("unused")
    public long byteArray() {
        long v = value++;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            ARRAY.set(array, i, v);
        }
        long sum = 0;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            sum += (long) ARRAY.get(array, i);
        }
        return sum;
    }

    @Benchmark
    public long directBuffer() {
        long v = value++;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            buffer.putLong(i, v);
        }
        long sum = 0;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            sum += buffer.getLong(i);
        }
        return sum;
    }

    @Benchmark
    public long segmentHeap() {
        return segment(heap, 0);
    }

    @Benchmark
    public long segmentConfined() {
        return segment(confined, 0);
    }

    @Benchmark
    public long segmentShared() {
        return segment(shared, 0);
    }

    @Benchmark
    public long segmentGlobal() {
        return segment(global, 0);
    }

    /** Absolute addresses through one constant segment of the whole address space. */
    @Benchmark
    public long segmentEverything() {
        return segment(EVERYTHING, address);
    }

    private long segment(MemorySegment segment, long base) {
        long v = value++;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, base + i, v);
        }
        long sum = 0;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            sum += segment.get(ValueLayout.JAVA_LONG_UNALIGNED, base + i);
        }
        return sum;
    }
}
