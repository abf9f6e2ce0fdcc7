package io.dxnet.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * Java to C (Ibdxnet, Figure 2, "jtn"): nanoseconds for calling a C function of three
 * {@code long}s that does nothing.
 */
@SuppressWarnings("restricted")
public class CrossingDown extends NanosPerCall {
    private static final int IN_C = 10_000;

    private static final MemorySegment CALLEE = NativeLibrary.symbol("three_longs");
    private static final FunctionDescriptor TYPE = FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);
    private static final FunctionDescriptor SEGMENT_TYPE = FunctionDescriptor.of(
            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG);

    private static final MethodHandle PLAIN = direct(TYPE);
    private static final MethodHandle CRITICAL = direct(TYPE, Linker.Option.critical(false));
    private static final MethodHandle ERRNO = direct(TYPE, Linker.Option.captureCallState("errno"));
    private static final MethodHandle SEGMENT = direct(SEGMENT_TYPE);
    private static final MethodHandle POINTER = Linker.nativeLinker().downcallHandle(TYPE);
    private static final MethodHandle POINTER_CRITICAL =
            Linker.nativeLinker().downcallHandle(TYPE, Linker.Option.critical(false));

    private MemorySegment state;
    private MemorySegment shared;
    private long address;

    private static MethodHandle direct(FunctionDescriptor type, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(CALLEE, type, options);
    }

    @Setup
    public void allocate() {
        state = Arena.global().allocate(Linker.Option.captureStateLayout());
        shared = Arena.ofShared().allocate(Long.BYTES);
        address = CALLEE.address();
    }

    @Benchmark
    public int jni() {
        return Jni.threeLongs(1, 2, 3);
    }

    @Benchmark
    public void jniNoArguments() {
        Jni.nothing();
    }

    @Benchmark
    public int ffm() throws Throwable {
        return (int) PLAIN.invokeExact(1L, 2L, 3L);
    }

    @Benchmark
    public int ffmErrno() throws Throwable {
        return (int) ERRNO.invokeExact(state, 1L, 2L, 3L);
    }

    /** One of the arguments is a segment of a shared arena: the call keeps the arena open. */
    @Benchmark
    public int ffmSharedSegment() throws Throwable {
        return (int) SEGMENT.invokeExact(shared, 2L, 3L);
    }

    @Benchmark
    public int ffmFunctionPointer() throws Throwable {
        return (int) POINTER.invokeExact(MemorySegment.ofAddress(address), 1L, 2L, 3L);
    }

    @Benchmark
    public int ffmCritical() throws Throwable {
        return (int) CRITICAL.invokeExact(1L, 2L, 3L);
    }

    @Benchmark
    public int ffmCriticalFunctionPointer() throws Throwable {
        return (int) POINTER_CRITICAL.invokeExact(MemorySegment.ofAddress(address), 1L, 2L, 3L);
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long inC() {
        return Jni.threeLongsInC(IN_C);
    }
}
