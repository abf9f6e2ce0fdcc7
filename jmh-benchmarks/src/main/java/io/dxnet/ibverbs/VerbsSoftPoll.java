package io.dxnet.ibverbs;

import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** {@code ibv_poll_cq} of an empty queue of the software device {@code soft0}: nanoseconds for one call. */
public class VerbsSoftPoll extends NanosPerCall {
    private VerbsRig rig;
    private VerbsRig rigThroughC;
    private WorkCompletion batch;
    private long function;

    @Setup
    public void open() {
        rig = new VerbsRig("soft0");
        rigThroughC = VerbsRig.throughC("soft0");
        batch = new WorkCompletion(VerbsPoll.BATCH);
        function = rig.context.dataPath().pollCq;
    }

    @TearDown
    public void close() {
        rig.close();
        rigThroughC.close();
    }

    /** As an application calls it: driver and binding are Java in one JVM, and no call leaves it. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffm() {
        return poll(rig.sent);
    }

    /** A downcall and an upcall. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffmThroughC() {
        return poll(rigThroughC.sent);
    }

    private int poll(CompletionQueue queue) {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += queue.poll(batch);
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int jni() {
        int sum = 0;
        for (int i = 0; i < VerbsRig.CALLS; i++) {
            sum += Jni.poll(function, rig.sent.address(), VerbsPoll.BATCH, batch.base());
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long inC() {
        return Jni.pollInC(function, rig.sent.address(), VerbsPoll.BATCH, batch.base(), VerbsRig.CALLS);
    }
}
