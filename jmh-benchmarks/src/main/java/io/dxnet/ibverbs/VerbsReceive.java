package io.dxnet.ibverbs;

import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** {@code ibv_post_srq_recv}: nanoseconds for one call that posts a whole chain. */
public class VerbsReceive extends NanosPerCall {
    private static final int IN_C = 10_000;

    @Param
    VerbsCallee callee;

    @Param({"1", "8", "32"})
    int chain;

    private VerbsRig rig;
    private SharedReceiveQueue queue;
    private ReceiveChain receives;
    private long function;
    private long queueAddress;
    private long request;
    private long badRequest;

    @Setup
    public void open() {
        rig = VerbsRig.of(callee);
        queue = rig.shared;
        receives = rig.receives(chain);
        function = rig.context.dataPath().postSrqReceive;
        queueAddress = queue.address();
        request = receives.request(0);
        badRequest = receives.badRequest();
    }

    @TearDown
    public void close() {
        rig.close();
    }

    /** The typed API, a chain that was filled before. */
    @Benchmark
    public int ffm() {
        return queue.post(receives);
    }

    /** The downcall alone. */
    @Benchmark
    public int ffmRaw() {
        return HotCalls.post(function, true, queueAddress, request, badRequest);
    }

    @Benchmark
    public int jni() {
        return Jni.post(function, queueAddress, request, badRequest);
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long inC() {
        return Jni.postInC(function, queueAddress, request, badRequest, IN_C);
    }
}
