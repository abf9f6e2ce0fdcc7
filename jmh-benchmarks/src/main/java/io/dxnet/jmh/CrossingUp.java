package io.dxnet.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/**
 * C to Java (Ibdxnet, Figure 2, "ntj", "ntjexc", "ntjdet"): nanoseconds for calling a static Java
 * method of three {@code long}s from a loop in C.
 */
@SuppressWarnings("restricted")
public class CrossingUp extends NanosPerCall {
    private static final int IN_C = 1_000;
    /** Fewer calls, because to attach a thread costs microseconds. */
    private static final int ATTACHING_IN_C = 100;

    private static final MethodHandle LOOP = Linker.nativeLinker()
            .downcallHandle(
                    NativeLibrary.symbol("call_upcall"),
                    FunctionDescriptor.ofVoid(ValueLayout.ADDRESS, ValueLayout.JAVA_INT));

    private MemorySegment stub;

    @Setup
    public void prepare() throws ReflectiveOperationException {
        Jni.prepareCalls();
        MethodHandle called = MethodHandles.lookup()
                .findStatic(
                        Callee.class, "called", MethodType.methodType(void.class, long.class, long.class, long.class));
        stub = Linker.nativeLinker()
                .upcallStub(
                        called,
                        FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
                        Arena.global());
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long jni() {
        Jni.callJava(IN_C);
        return Callee.last();
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long jniExceptionCheck() {
        if (Jni.callJavaChecked(IN_C) != 0) {
            throw new IllegalStateException("a call from C threw");
        }
        return Callee.last();
    }

    /** A thread of C that is attached before and detached after each call. */
    @Benchmark
    @OperationsPerInvocation(ATTACHING_IN_C)
    public long jniAttachDetach() {
        if (Jni.callJavaAttaching(ATTACHING_IN_C) != 0) {
            throw new IllegalStateException("the thread of C could not be attached");
        }
        return Callee.last();
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long ffmUpcall() throws Throwable {
        LOOP.invokeExact(stub, IN_C);
        return Callee.last();
    }
}
