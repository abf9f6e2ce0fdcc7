package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_wc;
import io.dxnet.jmh.Jni;
import io.dxnet.jmh.NanosPerCall;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code ibv_poll_cq} of a queue that has completions, and reading id and
 * status of each: nanoseconds for one call and what it found. Always the
 * provider in C, which writes the completions.
 */
public class VerbsPollFull extends NanosPerCall {
    private static final long BYTES = ibv_wc.sizeof();
    private static final long STATUS = ibv_wc.status$offset();

    @Param({"1", "16"})
    int completions;

    private VerbsRig rig;
    private CompletionQueue queue;
    private WorkCompletion batch;
    private long function;
    private long queueAddress;
    private long into;

    @Setup
    public void open() {
        rig = VerbsRig.of(VerbsCallee.DRIVER);
        queue = rig.sent;
        batch = new WorkCompletion(completions);
        function = rig.context.dataPath().pollCq;
        queueAddress = queue.address();
        into = batch.base();
        NativeVerbsProvider.completionsPerPoll(completions);
    }

    @TearDown
    public void close() {
        rig.close();
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long ffm() {
        long sum = 0;
        for (int call = 0; call < VerbsRig.CALLS; call++) {
            int count = queue.poll(batch);
            for (int i = 0; i < count; i++) {
                batch.at(i);
                sum += batch.id() + batch.statusCode();
            }
        }
        return sum;
    }

    /** Polls through JNI and reads the structures in Java, as Ibdxnet did with Unsafe. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long jni() {
        long sum = 0;
        for (int call = 0; call < VerbsRig.CALLS; call++) {
            int count = Jni.poll(function, queueAddress, completions, into);
            for (int i = 0; i < count; i++) {
                long at = into + i * BYTES;
                sum += Memory.getLong(at) + Memory.getInt(at + STATUS);
            }
        }
        return sum;
    }

    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public long inC() {
        return Jni.pollAndReadInC(function, queueAddress, completions, into, VerbsRig.CALLS);
    }
}
