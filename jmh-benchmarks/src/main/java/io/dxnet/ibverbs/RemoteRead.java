package io.dxnet.ibverbs;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.jmh.NanosPerCall;
import io.dxnet.jmh.RemoteNodes;
import io.dxnet.memory.RemoteRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The software device {@code soft0}. Nanoseconds of a blocking read of 64 bytes of another node's
 * memory, and of the calls of the verbs that carry one out: a request is filled and posted, and
 * polled until its completion is there.
 */
public class RemoteRead extends NanosPerCall {
    private static final int BYTES = 64;

    /** Two nodes of this process. */
    @State(Scope.Thread)
    public static class Nodes {
        private RemoteNodes nodes;
        private RemoteRegion region;
        private MemorySegment target;

        /** Starts them. */
        @Setup
        public void open() throws IOException, DXNetException {
            DXNetConfig config = DXNetConfig.builder()
                    .transport("ib")
                    .transportOption("ib.device", "soft0")
                    .build();
            nodes = new RemoteNodes(config, BYTES);
            region = nodes.region();
            target = nodes.local();
            if (!region.isOneSided()) {
                throw new IllegalStateException("messages carry the reads");
            }
        }

        /** Ends them. */
        @TearDown
        public void close() {
            nodes.close();
        }
    }

    /** Two queue pairs. */
    @State(Scope.Thread)
    public static class Pairs {
        private VerbsRig rig;
        private MemoryRegion remote;
        private SendChain chain;
        private WorkCompletion completions;

        /** Connects them. */
        @Setup
        public void open() {
            rig = new VerbsRig("soft0");
            remote = rig.domain.allocate(1 << 16, Access.LOCAL_WRITE, Access.REMOTE_READ);
            chain = new SendChain(1, 1);
            completions = new WorkCompletion(32);
        }

        /** Disconnects them. */
        @TearDown
        public void close() {
            rig.close();
        }
    }

    @Benchmark
    public void region(Nodes nodes) throws DXNetException {
        nodes.region.read(0, nodes.target);
    }

    @Benchmark
    public long verbs(Pairs on) {
        SendChain chain = on.chain;
        chain.clear();
        chain.read(7, on.remote.address(), on.remote.remoteKey())
                .sge(on.rig.region, 0, BYTES)
                .signaled();
        on.rig.sender.postSend(chain);
        while (on.rig.sent.poll(on.completions) == 0) {
            Thread.onSpinWait();
        }
        WorkCompletion found = on.completions.at(0);
        if (!found.isSuccess()) {
            throw new IllegalStateException(found.toString());
        }
        return found.id();
    }
}
