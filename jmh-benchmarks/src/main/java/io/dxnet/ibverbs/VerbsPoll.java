package io.dxnet.ibverbs;

import io.dxnet.jmh.NativeLibrary;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/** {@code ibv_poll_cq} of an empty queue: nanoseconds for one call. */
public class VerbsPoll extends VerbsPollCall {
    @Param
    VerbsCallee callee;

    @Setup
    public void open() {
        open(VerbsRig.of(callee));
        if (NativeLibrary.isPresent()) {
            NativeVerbsProvider.completionsPerPoll(0);
        }
    }

    /** The downcall alone. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffmRaw() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += CriticalCalls.poll(function, queueAddress, BATCH, into);
        }
        return sum;
    }
}
