package io.dxnet.ibverbs;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** {@code ibv_post_srq_recv}: nanoseconds for one call that posts a whole chain. */
public class VerbsReceive extends VerbsChainCall {
    private SharedReceiveQueue queue;
    private ReceiveChain receives;

    @Setup
    public void open() {
        rig = VerbsRig.of(callee);
        queue = rig.shared;
        receives = rig.receives(chain);
        raw(rig.context.dataPath().postSrqReceive, queue.address(), receives);
    }

    /** The downcall alone. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffmRaw() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += CriticalCalls.postSharedReceive(function, queueAddress, request, badRequest);
        }
        return sum;
    }

    /** The typed API, a chain that was filled before. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffm() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += queue.post(receives);
        }
        return sum;
    }
}
