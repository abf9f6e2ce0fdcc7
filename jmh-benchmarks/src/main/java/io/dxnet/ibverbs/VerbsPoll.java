package io.dxnet.ibverbs;

import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import io.dxnet.jmh.NativeLibrary;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** {@code ibv_poll_cq} of an empty queue: nanoseconds for one call. */
public class VerbsPoll extends NanosPerCall {
    static final int IN_C = 10_000;
    static final int BATCH = 16;

    @Param
    VerbsCallee callee;

    VerbsRig rig;
    CompletionQueue queue;
    WorkCompletion batch;
    long function;
    long queueAddress;
    long into;

    @Setup
    public void open() {
        rig = VerbsRig.of(callee);
        queue = rig.sent;
        batch = new WorkCompletion(BATCH);
        function = rig.context.dataPath().pollCq;
        queueAddress = queue.address();
        into = batch.base();
        if (NativeLibrary.isPresent()) {
            NativeVerbsProvider.completionsPerPoll(0);
        }
    }

    @TearDown
    public void close() {
        rig.close();
    }

    @Benchmark
    public int ffm() {
        return queue.poll(batch);
    }

    /** The downcall alone. */
    @Benchmark
    public int ffmRaw() {
        return HotCalls.poll(function, true, queueAddress, BATCH, into);
    }

    @Benchmark
    public int jni() {
        return Jni.poll(function, queueAddress, BATCH, into);
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long inC() {
        return Jni.pollInC(function, queueAddress, BATCH, into, IN_C);
    }
}
