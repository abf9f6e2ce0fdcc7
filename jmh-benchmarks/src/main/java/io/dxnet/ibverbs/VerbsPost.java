package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** {@code ibv_post_send}: nanoseconds for one call that posts a whole chain. */
public class VerbsPost extends NanosPerCall {
    private static final int IN_C = 10_000;

    @Param
    VerbsCallee callee;

    @Param({"1", "8", "32"})
    int chain;

    private VerbsRig rig;
    private QueuePair pair;
    private SendChain sends;
    private long function;
    private long pairAddress;
    private long request;
    private long badRequest;

    @Setup
    public void open() {
        rig = VerbsRig.of(callee);
        pair = rig.sender;
        sends = rig.sends(chain);
        function = rig.context.dataPath().postSend;
        pairAddress = pair.address();
        request = sends.request(0);
        badRequest = sends.badRequest();
    }

    @TearDown
    public void close() {
        rig.close();
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

    /** The downcall alone. */
    @Benchmark
    public int ffmRaw() {
        return HotCalls.post(function, true, pairAddress, request, badRequest);
    }

    @Benchmark
    public int jni() {
        return Jni.post(function, pairAddress, request, badRequest);
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long inC() {
        return Jni.postInC(function, pairAddress, request, badRequest, IN_C);
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long inCFilled() {
        return Jni.fillAndPostInC(
                function,
                pairAddress,
                request,
                chain,
                (int) ibv_send_wr.sizeof(),
                rig.region.address(),
                rig.region.localKey(),
                badRequest,
                IN_C);
    }
}
