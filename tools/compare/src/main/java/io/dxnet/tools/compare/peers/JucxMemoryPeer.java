package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.Workload;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.openucx.jucx.UcxUtils;

/** Put and get of UCX. */
final class JucxMemoryPeer extends MemoryPeer {
    private final JucxPeer messages;

    /**
     * Over a transport.
     *
     * @param messages over the same transport
     */
    JucxMemoryPeer(JucxPeer messages, Operation operation) {
        super(messages, operation);
        this.messages = messages;
    }

    @Override
    String configuration() {
        return "UCX_TLS=" + messages.transports() + "; memory that UCX allocates, "
                + (operation == Operation.READ
                        ? "ucp_get_nbx until it is complete"
                        : "ucp_put_nbx and a flush of the endpoint until it is complete")
                + "; client and server poll, and yield after 100 empty polls";
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        AtomicReference<Server> opened = new AtomicReference<>();
        // The worker belongs to the thread that polls it.
        ServerThread thread = ServerThread.start(() -> {
            Server server = opened.get();
            if (server == null) {
                JucxLink link = JucxLink.forMemory(messages.transports());
                JucxMemory memory = link.allocate(workload.size());
                server = new Server(link, memory, link.address() + " " + memory.address());
                opened.set(server);
            }
            server.link.progress();
        });
        JucxLink.await(() -> opened.get() != null, () -> {}, "the worker did not start");
        Server server = opened.get();
        return new PeerServer() {
            @Override
            public String address() {
                return server.address;
            }

            @Override
            public void close() throws IOException {
                thread.close();
                server.memory.close();
                server.link.close();
            }
        };
    }

    private record Server(JucxLink link, JucxMemory memory, String address) {}

    @Override
    public PeerClient connect(Workload workload, String address) {
        return new Client(operation, workload.size(), messages.transports(), address);
    }

    private static final class Client extends MemoryClient {
        private final JucxLink link;
        private final JucxMemory.Remote remote;
        private final long localAddress;

        Client(Operation operation, int size, String transports, String address) {
            super(operation, size);
            int blank = address.indexOf(' ');
            link = JucxLink.forMemory(transports);
            link.connect(address.substring(0, blank));
            remote = link.unpack(address.substring(blank + 1));
            localAddress = UcxUtils.getAddress(local());
        }

        @Override
        void read() throws IOException {
            link.get(remote, localAddress, local().capacity());
        }

        @Override
        void write() throws IOException {
            link.put(remote, localAddress, local().capacity());
        }

        @Override
        public void close() throws IOException {
            remote.key().close();
            link.close();
        }
    }
}
