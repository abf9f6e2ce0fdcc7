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
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffm() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += queue.poll(batch);
        }
        return sum;
    }

    /** The downcall alone. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffmRaw() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += HotCalls.pollCritical(function, queueAddress, BATCH, into);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int jni() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += Jni.poll(function, queueAddress, BATCH, into);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long inC() {
        return Jni.pollInC(function, queueAddress, BATCH, into, VerbsRig.CALLS);
    }
}
