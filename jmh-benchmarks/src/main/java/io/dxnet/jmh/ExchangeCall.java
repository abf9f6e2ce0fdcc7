package io.dxnet.jmh;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * Both sides of an exchange of 64 bytes (Ibdxnet, Figure 2). Nanoseconds for writing eight
 * {@code long}s in Java and calling a C function that reads them.
 */
@SuppressWarnings("restricted")
public class ExchangeCall extends ExchangeBuffers {

    private static final MethodHandle BY_ADDRESS = handle(ValueLayout.JAVA_LONG, Linker.Option.critical(false));
    private static final MethodHandle BY_SEGMENT = handle(ValueLayout.ADDRESS, Linker.Option.critical(false));
    private static final MethodHandle BY_HEAP = handle(ValueLayout.ADDRESS, Linker.Option.critical(true));
    private static final MethodHandle BY_ADDRESS_PLAIN = handle(ValueLayout.JAVA_LONG);

    private static MethodHandle handle(ValueLayout pointer, Linker.Option... options) {
        return Linker.nativeLinker()
                .downcallHandle(
                        NativeLibrary.symbol("sum_words"),
                        FunctionDescriptor.of(ValueLayout.JAVA_LONG, pointer),
                        options);
    }

    @Benchmark
    public long jniArrayRegion() {
        fillArray();
        return Jni.sumArrayRegion(array);
    }

    @Benchmark
    public long jniArrayElements() {
        fillArray();
        return Jni.sumArrayElements(array);
    }

    @Benchmark
    public long jniArrayCritical() {
        fillArray();
        return Jni.sumArrayCritical(array);
    }

    @Benchmark
    public long jniDirectBuffer() {
        long v = value++;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            buffer.putLong(i, v);
        }
        return Jni.sumBuffer(buffer);
    }

    /** The array itself is passed: a critical call may see the heap. */
    @Benchmark
    public long ffmHeap() throws Throwable {
        fill(heap, 0);
        return (long) BY_HEAP.invokeExact(heap);
    }

    @Benchmark
    public long ffmConfined() throws Throwable {
        fill(confined, 0);
        return (long) BY_SEGMENT.invokeExact(confined);
    }

    @Benchmark
    public long ffmShared() throws Throwable {
        fill(shared, 0);
        return (long) BY_SEGMENT.invokeExact(shared);
    }

    @Benchmark
    public long ffmGlobal() throws Throwable {
        fill(global, 0);
        return (long) BY_SEGMENT.invokeExact(global);
    }

    /** Absolute addresses, passed as {@code long}: what ibverbs-ffm does. */
    @Benchmark
    public long ffmEverything() throws Throwable {
        fill(EVERYTHING, address);
        return (long) BY_ADDRESS.invokeExact(address);
    }

    /** The same with a downcall that is not critical. */
    @Benchmark
    public long ffmEverythingPlain() throws Throwable {
        fill(EVERYTHING, address);
        return (long) BY_ADDRESS_PLAIN.invokeExact(address);
    }

    private void fillArray() {
        long v = value++;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            ARRAY.set(array, i, v);
        }
    }

    private void fill(MemorySegment segment, long base) {
        long v = value++;
        for (int i = 0; i < BYTES; i += Long.BYTES) {
            segment.set(ValueLayout.JAVA_LONG_UNALIGNED, base + i, v);
        }
    }
}
