package io.dxnet.jmh;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.memory.RemoteRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Nanoseconds of a blocking operation on 64 bytes, or 8 of an atomic, of another node's memory,
 * which messages carry to its engine; the nodes are two of this process, the transport is loopback.
 */
public class RemoteMessages extends NanosPerCall {
    private static final int BYTES = 64;

    /** The nodes. */
    @State(Scope.Thread)
    public static class Nodes {
        private RemoteNodes nodes;
        private RemoteRegion region;
        private MemorySegment local;

        /** Starts them. */
        @Setup
        public void open() throws IOException, DXNetException {
            DXNetConfig config = DXNetConfig.builder().transport("loopback").build();
            nodes = new RemoteNodes(config, BYTES);
            region = nodes.region();
            local = nodes.local();
            if (region.isOneSided()) {
                throw new IllegalStateException("no message carries the operations");
            }
        }

        /** Ends them. */
        @TearDown
        public void close() {
            nodes.close();
        }
    }

    @Benchmark
    public void read(Nodes on) throws DXNetException {
        on.region.read(0, on.local);
    }

    @Benchmark
    public void write(Nodes on) throws DXNetException {
        on.region.write(0, on.local);
    }

    @Benchmark
    public void writeAndNotify(Nodes on) throws DXNetException {
        on.region.writeAndNotify(0, on.local, 7);
    }

    @Benchmark
    public long fetchAdd(Nodes on) throws DXNetException {
        return on.region.fetchAdd(0, 1);
    }
}
