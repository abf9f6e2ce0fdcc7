package io.dxnet.ibverbs;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * {@code ibv_poll_cq} of an empty queue of the software device
 * {@code soft0}: nanoseconds for one call.
 */
public class VerbsSoftPoll extends VerbsPollCall {
    private VerbsRig rigThroughC;

    @Setup
    public void open() {
        open(new VerbsRig("soft0"));
        rigThroughC = VerbsRig.throughC("soft0");
    }

    @TearDown
    public void closeThroughC() {
        rigThroughC.close();
    }

    /** A downcall and an upcall. */
    @Benchmark
    @OperationsPerInvocation(VerbsRig.CALLS)
    public int ffmThroughC() {
        return poll(rigThroughC.sent);
    }
}
