package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_wc;
import io.dxnet.jmh.CompletionReceiver;
import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import io.dxnet.jmh.NativeLibrary;
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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code ibv_poll_cq} of a queue that has completions, and reading id and
 * status of each: nanoseconds for one call and what it found. Always the
 * provider in C, which writes the completions.
 *
 * <p>{@code upcallJni} and {@code upcallFfm} are Ibdxnet's way (section 7.2.3): C polls in a loop,
 * and calls Java for the completions that it found. A poll that finds none stays in C.
 */
@SuppressWarnings("restricted")
public class VerbsPollFull extends NanosPerCall {
    private static final long BYTES = ibv_wc.sizeof();
    private static final long STATUS = ibv_wc.status$offset();

    private static final MethodHandle POLL_AND_CALL = Linker.nativeLinker()
            .downcallHandle(
                    NativeLibrary.symbol("poll_and_call"),
                    FunctionDescriptor.ofVoid(
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.ADDRESS,
                            ValueLayout.JAVA_INT));

    @Param({"1", "16"})
    int completions;

    private VerbsRig rig;
    private CompletionQueue queue;
    private WorkCompletion batch;
    private long function;
    private long queueAddress;
    private long into;
    private MemorySegment stub;
    private long received; // sum over completions that C has called up with

    @Setup
    public void open() throws ReflectiveOperationException {
        rig = VerbsRig.of(VerbsCallee.DRIVER);
        queue = rig.sent;
        batch = new WorkCompletion(completions);
        function = rig.context.dataPath().pollCq;
        queueAddress = queue.address();
        into = batch.base();
        NativeVerbsProvider.completionsPerPoll(completions);
        Jni.prepareCalls();
        CompletionReceiver.set(this::received);
        MethodHandle called = MethodHandles.lookup()
                .findVirtual(VerbsPollFull.class, "received", MethodType.methodType(void.class, long.class, int.class));
        stub = Linker.nativeLinker()
                .upcallStub(
                        called.bindTo(this),
                        FunctionDescriptor.ofVoid(ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT),
                        Arena.global());
    }

    @TearDown
    public void close() {
        rig.close();
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long ffm() {
        long sum = 0;
        for (int call = 0; call < VerbsRig.CALLS; call++) {
            int count = queue.poll(batch);
            for (int i = 0; i < count; i++) {
                batch.at(i);
                sum += batch.id() + batch.statusCode();
            }
        }
        return sum;
    }

    /** Polls through JNI and reads the structures in Java, as Ibdxnet did with Unsafe. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long jni() {
        long sum = 0;
        for (int call = 0; call < VerbsRig.CALLS; call++) {
            sum += read(into, Jni.poll(function, queueAddress, completions, into));
        }
        return sum;
    }

    private static long read(long first, int count) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            long at = first + i * BYTES;
            sum += Memory.getLong(at) + Memory.getInt(at + STATUS);
        }
        return sum;
    }

    private void received(long first, int count) {
        received += read(first, count);
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long upcallJni() {
        if (Jni.pollAndCallJava(function, queueAddress, completions, into, VerbsRig.CALLS) != 0) {
            throw new IllegalStateException("a call from C threw");
        }
        return received;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long upcallFfm() throws Throwable {
        POLL_AND_CALL.invokeExact(function, queueAddress, completions, into, stub, VerbsRig.CALLS);
        return received;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long inC() {
        return Jni.pollAndReadInC(function, queueAddress, completions, into, VerbsRig.CALLS);
    }
}
