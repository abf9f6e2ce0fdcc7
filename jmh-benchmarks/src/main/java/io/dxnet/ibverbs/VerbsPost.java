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

    /** The typed API, a chain that was filled before. */
    @Benchmark
    public int ffm() {
        return pair.postSend(sends);
    }

    /** The typed API as a transport uses it: the chain is filled anew each time. */
    @Benchmark
    public int ffmFilled() {
        rig.fill(sends, chain);
        return pair.postSend(sends);
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
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
                IN_C);
    }
}
