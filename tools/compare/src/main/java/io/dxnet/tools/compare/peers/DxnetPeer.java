package io.dxnet.tools.compare.peers;

import io.dxnet.ConfigKey;
import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.MessageTypeOption;
import io.dxnet.NodeMap;
import io.dxnet.SecurityMode;
import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import io.dxnet.tools.compare.harness.Tap;
import io.dxnet.tools.compare.harness.Workload;
import io.dxnet.transport.TransportProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * DXNet itself, used as an application would: message objects, a callback, requests and responses.
 */
final class DxnetPeer implements Peer {
    private static final String IB = "ib";
    private static final int CLIENT = 0;
    static final int SERVER = 1;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final DXNetConfig config;
    private final List<String> flags;
    private final PeerInfo info;
    private final boolean oneProcess;

    private DxnetPeer(DXNetConfig config, String name, String crosses, boolean oneProcess) {
        this(config, List.of(), name, crosses, oneProcess);
    }

    private DxnetPeer(DXNetConfig config, List<String> flags, String name, String crosses, boolean oneProcess) {
        this.config = config;
        this.flags = flags;
        this.oneProcess = oneProcess;
        this.info = new PeerInfo(
                PeerInfo.Role.DXNET,
                "dxnet-" + name.replace(' ', '-'),
                "DXNet " + name,
                Versions.of("dxnet"),
                crosses,
                true,
                "default configuration; all threads share the node's one connection; each message received is a new object with a "
                        + "payload array of its own, given to a callback; round trips: sendSync of the application's thread"
                        + (oneProcess ? "; both nodes in one process, because the device is software in it" : ""),
                "README.md",
                "-",
                "-");
    }

    /** Over TCP. */
    static DxnetPeer tcp() {
        return new DxnetPeer(DXNetConfig.builder().transport("nio").build(), "nio", "TCP", false);
    }

    /**
     * Over TCP in a mode of security.
     *
     * @param keys of its processes, which get the paths as system properties
     */
    static DxnetPeer secured(SecurityMode mode, SecurityKeys keys) {
        DXNetConfig config =
                DXNetConfig.builder().transport("nio").systemProperties().build();
        String name = ConfigKey.SECURITY.text(mode);
        return new DxnetPeer(
                config,
                keys.flags(mode),
                "nio " + name,
                mode == SecurityMode.TLS ? NettyTls.CROSSES : "TCP, " + name,
                false);
    }

    /** Over the memory that two processes share. */
    static DxnetPeer sharedMemory() {
        return new DxnetPeer(DXNetConfig.builder().transport("shm").build(), "shm", "shared memory", false);
    }

    /** Over the first RDMA device with an active port. */
    static DxnetPeer rdma() {
        return new DxnetPeer(DXNetConfig.builder().transport(IB).build(), IB, "RDMA device", false);
    }

    /** The same engine on the project's software device. */
    static DxnetPeer softwareRdma() {
        DXNetConfig config = DXNetConfig.builder()
                .transport(IB)
                .transportOption("ib.device", "soft0")
                .build();
        return new DxnetPeer(config, "ib soft0", "software device", true);
    }

    @Override
    public boolean inOneProcess() {
        return oneProcess;
    }

    @Override
    public List<String> javaFlags() {
        return config.transport().equals(IB) ? List.of("--enable-native-access=ALL-UNNAMED") : flags;
    }

    @Override
    public Optional<String> unavailabilityCause() {
        return ServiceLoader.load(TransportProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.name().equals(config.transport()))
                .findFirst()
                .map(provider -> provider.unavailabilityCause(config))
                .orElse(Optional.of("there is no transport " + config.transport()));
    }

    @Override
    public PeerInfo info() {
        return info;
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        Node node = serverNode();
        DXNet net = node.net();
        MessageTypeOption[] options =
                workload.verify() ? new MessageTypeOption[] {MessageTypeOption.EXCLUSIVE} : new MessageTypeOption[0];
        ThreadLocal<Tap> taps = ThreadLocal.withInitial(inbox::tap); // one for each handler thread
        net.registerMessageType(DxnetMessages.TYPE, DxnetMessages.BYTES, DxnetMessages.Bytes::new, options);
        net.registerMessageType(DxnetMessages.TYPE, DxnetMessages.ECHO, DxnetMessages.Echo::new);
        net.registerMessageType(DxnetMessages.TYPE, DxnetMessages.ANSWER, DxnetMessages.Answer::new);
        net.register(DxnetMessages.TYPE, DxnetMessages.BYTES, (DxnetMessages.Bytes message) -> {
            Tap tap = taps.get();
            int length = message.payload().length;
            if (tap.wants(length)) {
                System.arraycopy(message.payload(), 0, tap.copy(), 0, length);
            }
            tap.received(length);
        });
        net.register(
                DxnetMessages.TYPE,
                DxnetMessages.ECHO,
                (DxnetMessages.Echo echo) -> net.sendMessage(new DxnetMessages.Answer(echo)));
        return node;
    }

    @Override
    public PeerClient connect(Workload workload, String address) throws Exception {
        DXNet net = clientNode(address);
        net.registerMessageType(DxnetMessages.TYPE, DxnetMessages.BYTES, DxnetMessages.Bytes::new);
        net.registerMessageType(DxnetMessages.TYPE, DxnetMessages.ECHO, DxnetMessages.Echo::new);
        net.registerMessageType(DxnetMessages.TYPE, DxnetMessages.ANSWER, DxnetMessages.Answer::new);
        net.connectNode(SERVER);
        return new Client(net);
    }

    /** Starts the node of the server's side. */
    Node serverNode() throws IOException {
        int[] ports = Ports.tcp(2);
        String address = ports[CLIENT] + " " + ports[SERVER];
        return new Node(node(SERVER, address), address);
    }

    /** Starts the node of the client's side. */
    DXNet clientNode(String address) {
        return node(CLIENT, address);
    }

    private DXNet node(int id, String address) {
        String[] ports = address.split(" ");
        NodeMap nodes =
                new NodeMap(id).put(CLIENT, "127.0.0.1:" + ports[CLIENT]).put(SERVER, "127.0.0.1:" + ports[SERVER]);
        return new DXNet(config, nodes);
    }

    /** The server's side. */
    record Node(DXNet net, String address) implements PeerServer {
        @Override
        public void close() {
            net.close();
        }
    }

    private record Client(DXNet net) implements PeerClient {
        @Override
        public Sender sender(int thread) {
            DxnetMessages.Bytes message = new DxnetMessages.Bytes(SERVER);
            return payload -> {
                message.set(payload);
                net.sendMessage(message);
                return true;
            };
        }

        @Override
        public void pingPong(PingPong loop) throws Exception {
            while (loop.next()) {
                DxnetMessages.Answer answer = net.sendSync(new DxnetMessages.Echo(SERVER, loop.payload()), TIMEOUT);
                int length = answer.payload().length;
                if (loop.wants(length)) {
                    System.arraycopy(answer.payload(), 0, loop.copy(), 0, length);
                }
                loop.answered(length);
            }
        }

        @Override
        public boolean reconnect() throws Exception {
            net.disconnectNode(SERVER);
            net.connectNode(SERVER);
            return true;
        }

        @Override
        public void close() {
            net.close();
        }
    }
}
