package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.jmh.Jni;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;

/** {@code ibv_post_send}: nanoseconds for one call that posts a whole chain. */
public class VerbsPost extends VerbsChainCall {
    private QueuePair pair;
    private SendChain sends;

    @Setup
    public void open() {
        rig = VerbsRig.of(callee);
        pair = rig.sender;
        sends = rig.sends(chain);
        raw(rig.context.dataPath().postSend, pair.address(), sends);
    }

    /** The downcall alone. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffmRaw() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += CriticalCalls.postSend(function, queueAddress, request, badRequest);
        }
        return sum;
    }

    /** The typed API, a chain that was filled before. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffm() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += pair.postSend(sends);
        }
        return sum;
    }

    /** The typed API as a transport uses it: the chain is filled anew each time. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffmFilled() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            rig.fill(sends, chain);
            sum += pair.postSend(sends);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long inCFilled() {
        return Jni.fillAndPostInC(
                function,
                queueAddress,
                request,
                chain,
                (int) ibv_send_wr.sizeof(),
                rig.region.address(),
                rig.region.localKey(),
                badRequest,
                VerbsRig.CALLS);
    }
}
