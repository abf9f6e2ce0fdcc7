package io.dxnet.ibverbs;

import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The software device {@code soft0}. Nanoseconds for posting a chain of receives, posting a chain
 * of sends of 64 bytes (the last signaled) and polling all completions. Every verb is carried out,
 * by Java, so the callee's own cost is in each figure.
 */
public class VerbsExchange extends NanosPerCall {
    private static final int IN_C = 100;

    @Param({"1", "8", "32"})
    int chain;

    private VerbsRig rig;
    private SendChain sends;
    private ReceiveChain receives;
    private VerbsRig rigThroughC;
    private SendChain sendsThroughC;
    private ReceiveChain receivesThroughC;
    private WorkCompletion batch;
    private long postSend;
    private long postReceive;
    private long pollQueue;
    private long arguments;

    @Setup
    public void open() {
        rig = new VerbsRig("soft0");
        sends = rig.sends(chain);
        receives = rig.receives(chain);
        rigThroughC = VerbsRig.throughC("soft0");
        sendsThroughC = rigThroughC.sends(chain);
        receivesThroughC = rigThroughC.receives(chain);
        batch = new WorkCompletion(chain);
        DataPath path = rig.context.dataPath();
        postSend = path.postSend;
        postReceive = path.postSrqReceive;
        pollQueue = path.pollCq;
        arguments = rig.arguments(receives, sends, batch).address();
    }

    @TearDown
    public void close() {
        rig.close();
        rigThroughC.close();
    }

    @Benchmark
    public int ffm() {
        return exchange(rig, sends, receives);
    }

    /** The binding without its knowledge of a driver in Java: through C and back. */
    @Benchmark
    public int ffmThroughC() {
        return exchange(rigThroughC, sendsThroughC, receivesThroughC);
    }

    private int exchange(VerbsRig on, SendChain sending, ReceiveChain receiving) {
        int accepted = on.shared.post(receiving) + on.sender.postSend(sending);
        while (on.sent.poll(batch) == 0) {}
        for (int got = 0; got < chain; ) {
            got += on.received.poll(batch);
        }
        return accepted;
    }

    @Benchmark
    public int jni() {
        int failures = Jni.post(postReceive, rig.shared.address(), receives.request(0), receives.badRequest())
                + Jni.post(postSend, rig.sender.address(), sends.request(0), sends.badRequest());
        while (Jni.poll(pollQueue, rig.sent.address(), 1, batch.base()) == 0) {}
        for (int got = 0; got < chain; ) {
            got += Jni.poll(pollQueue, rig.received.address(), chain, batch.base());
        }
        return failures;
    }

    @Benchmark
    @OperationsPerInvocation(IN_C)
    public long inC() {
        return Jni.exchangeInC(arguments, chain, IN_C);
    }
}
