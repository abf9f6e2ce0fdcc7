package io.dxnet.ibverbs;

import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code ibv_poll_cq} of an empty queue: what its calls have in common, whichever device they ask.
 */
public abstract class VerbsPollCall extends NanosPerCall {
    static final int BATCH = 16;

    VerbsRig rig;
    CompletionQueue queue;
    WorkCompletion batch;
    long function;
    long queueAddress;
    long into;

    final void open(VerbsRig opened) {
        rig = opened;
        queue = rig.sent;
        batch = new WorkCompletion(BATCH);
        function = rig.context.dataPath().pollCq;
        queueAddress = queue.address();
        into = batch.base();
    }

    @TearDown
    public void close() {
        rig.close();
    }

    final int poll(CompletionQueue of) {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += of.poll(batch);
        }
        return sum;
    }

    /**
     * As an application calls it. On {@code soft0} driver and binding are Java in
     * one JVM, and no call leaves it.
     */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffm() {
        return poll(queue);
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
