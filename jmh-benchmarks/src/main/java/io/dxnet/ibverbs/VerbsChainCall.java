package io.dxnet.ibverbs;

import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.TearDown;

/** A verb that posts a chain: what its calls have in common, whichever queue they post to. */
public abstract class VerbsChainCall extends NanosPerCall {
    @Param
    VerbsCallee callee;

    @Param({"1", "8", "32"})
    int chain;

    VerbsRig rig;
    long function;
    long queueAddress;
    long request;
    long badRequest;

    /** What the raw calls pass. */
    final void raw(long callFunction, long address, RequestChain requests) {
        function = callFunction;
        queueAddress = address;
        request = requests.request(0);
        badRequest = requests.badRequest();
    }

    @TearDown
    public void close() {
        rig.close();
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int jni() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += Jni.post(function, queueAddress, request, badRequest);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long inC() {
        return Jni.postInC(function, queueAddress, request, badRequest, VerbsRig.CALLS);
    }
}
