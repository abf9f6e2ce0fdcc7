package io.dxnet.tools.compare.peers;

import io.dxnet.DXNet;
import io.dxnet.memory.Peers;
import io.dxnet.memory.RemoteRegion;
import io.dxnet.memory.Right;
import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.Workload;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.EnumSet;

/** DXNet's remote memory. */
final class DxnetMemoryPeer extends MemoryPeer {
    private static final String REGION = "compare";

    private final DxnetPeer messages;

    /**
     * On a transport.
     *
     * @param messages over the same transport
     */
    DxnetMemoryPeer(DxnetPeer messages, Operation operation) {
        super(messages, operation);
        this.messages = messages;
    }

    @Override
    String configuration() {
        return "default configuration; a region of the payload's size; blocking RemoteRegion." + operation.label
                + " of the application's thread, from and to native memory";
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        DxnetPeer.Node node = messages.serverNode();
        MemorySegment segment = node.net().remoteMemory().allocate(Arena.ofAuto(), workload.size());
        node.net().remoteMemory().share(REGION, segment, EnumSet.of(Right.READ, Right.WRITE), Peers.all());
        return node;
    }

    @Override
    public PeerClient connect(Workload workload, String address) throws Exception {
        DXNet net = messages.clientNode(address);
        RemoteRegion region = net.remoteMemory().attach(DxnetPeer.SERVER, REGION);
        return new Client(operation, workload.size(), net, region);
    }

    private static final class Client extends MemoryClient {
        private final DXNet net;
        private final RemoteRegion region;
        private final MemorySegment[] segments;

        Client(Operation operation, int size, DXNet net, RemoteRegion region) {
            super(operation, size);
            this.net = net;
            this.region = region;
            this.segments = new MemorySegment[] {MemorySegment.ofBuffer(local())};
        }

        @Override
        void read() throws IOException {
            region.read(0, segments);
        }

        @Override
        void write() throws IOException {
            region.write(0, segments);
        }

        @Override
        public void close() {
            net.close();
        }
    }
}
