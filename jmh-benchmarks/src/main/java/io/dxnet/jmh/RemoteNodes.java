package io.dxnet.jmh;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.EnumSet;

/** Two nodes of this process: one shares memory, the other one is attached to it. */
public final class RemoteNodes implements AutoCloseable {
    private static final int ALIGNMENT = 64;
    private static final int REGION_BYTES = 1 << 16;

    private final Arena arena = Arena.ofShared();
    private final DXNet owner;
    private final DXNet reader;
    private final RemoteRegion region;
    private final MemorySegment local;

    /**
     * Starts them.
     *
     * @param config of both
     * @param bytes of the reader's own memory
     */
    public RemoteNodes(DXNetConfig config, int bytes) throws IOException, DXNetException {
        InetSocketAddress[] addresses = {freeAddress(), freeAddress()};
        owner = node(0, config, addresses);
        reader = node(1, config, addresses);
        owner.remoteMemory()
                .share("benchmark", arena.allocate(REGION_BYTES, ALIGNMENT), EnumSet.allOf(Right.class), Peers.all());
        region = reader.remoteMemory().attach(0, "benchmark");
        local = arena.allocate(bytes, ALIGNMENT);
    }

    private static InetSocketAddress freeAddress() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return new InetSocketAddress(socket.getInetAddress(), socket.getLocalPort());
        }
    }

    private static DXNet node(int id, DXNetConfig config, InetSocketAddress... addresses) {
        NodeMap nodes = new NodeMap(id);
        for (int i = 0; i < addresses.length; i++) {
            nodes.put(i, addresses[i]);
        }
        return DXNet.builder(nodes).config(config).start();
    }

    /** {@return the owner's memory} */
    public RemoteRegion region() {
        return region;
    }

    /** {@return the reader's own memory} */
    public MemorySegment local() {
        return local;
    }

    @Override
    public void close() {
        reader.close();
        owner.close();
        arena.close();
    }
}
