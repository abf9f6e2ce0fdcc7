package io.dxnet.jmh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Java's side of an exchange of 64 bytes (Ibdxnet, Figure 2, "ba", "dbb", "u"): nanoseconds for
 * writing eight {@code long}s and reading them back.
 */
@SuppressWarnings("restricted")
public class ExchangeMemory extends ExchangeBuffers {

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
