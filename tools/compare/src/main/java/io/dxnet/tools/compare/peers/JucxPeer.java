package io.dxnet.tools.compare.peers;

import io.dxnet.tools.compare.harness.Inbox;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerClient;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.harness.PeerServer;
import io.dxnet.tools.compare.harness.PingPong;
import io.dxnet.tools.compare.harness.Sender;
import io.dxnet.tools.compare.harness.Tap;
import io.dxnet.tools.compare.harness.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.openucx.jucx.ucp.UcpAmData;

/** JUCX, the Java binding of UCX: active messages over TCP or over shared memory. */
final class JucxPeer implements Peer {
    private static final int MESSAGE = 1;
    private static final int HELLO = 2;

    private final boolean shared;

    /**
     * JUCX over a transport.
     *
     * @param shared whether over shared memory instead of TCP
     */
    JucxPeer(boolean shared) {
        this.shared = shared;
    }

    @Override
    public PeerInfo info() {
        return new PeerInfo(
                PeerInfo.Role.PEER,
                shared ? "jucx-shm" : "jucx-tcp",
                shared ? "JUCX shared memory" : "JUCX TCP",
                Versions.of("jucx"),
                shared ? "shared memory" : "TCP",
                true,
                "UCX_TLS=" + transports() + (shared ? "" : " on the loopback interface")
                        + "; active messages, eager; a worker and an endpoint for each thread, because workers are single-threaded, at most "
                        + JucxLink.WINDOW
                        + " messages of each without completion; the server polls one worker and reads data in place; "
                        + "pollers yield after 100 empty polls",
                "https://openucx.readthedocs.io/en/master/faq.html "
                        + "https://github.com/openucx/ucx/tree/master/bindings/java",
                "objects, types and callbacks per type, request/response, threads, connections made on demand by node id, flow control "
                        + "up to the receiver's processing" + (shared ? ", other machines" : ""),
                "RDMA reads, writes and atomics, tag matching, GPU memory, InfiniBand (DXNet's transport for it is another one)");
    }

    String transports() {
        return shared ? "shm" : "tcp";
    }

    @Override
    public List<String> javaFlags() {
        return List.of("--enable-native-access=ALL-UNNAMED");
    }

    /** Disables UCX's own signal handlers: they would replace those of the JVM. */
    @Override
    public Map<String, String> environment() {
        return Map.of("UCX_ERROR_SIGNALS", "", "UCX_LOG_LEVEL", "error");
    }

    @Override
    public Optional<String> unavailabilityCause() {
        boolean[] arrived = new boolean[1];
        try (JucxLink link = JucxLink.forMessages(transports())) {
            link.onMessage(MESSAGE, data -> arrived[0] = true);
            link.connectBytes(link.addressBytes());
            link.send(MESSAGE, new byte[1]);
            JucxLink.await(() -> arrived[0], link::progress, "a message to itself does not arrive");
            return Optional.empty();
        } catch (Exception | LinkageError e) {
            return Optional.of(
                    "its jar has no UCX and none fits on this machine: install UCX (Debian: apt-get install libucx0), or set "
                            + "LD_LIBRARY_PATH to the libraries of UCX " + Versions.of("jucx") + " (" + reason(e)
                            + ")");
        }
    }

    /** Which of several UCX libraries was loaded, where {@code /proc/self/maps} shows it. */
    @Override
    public String onThisMachine() {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("/libucp.so"))
                    .map(line -> "UCX of " + line.substring(line.indexOf('/')))
                    .findFirst()
                    .orElse("");
        } catch (IOException e) {
            return "";
        }
    }

    private static String reason(Throwable e) {
        return (e.getMessage() == null && e.getCause() != null ? e.getCause() : e)
                .toString()
                .replace('\n', ' ');
    }

    @Override
    public PeerServer serve(Workload workload, Inbox inbox) throws Exception {
        boolean oneWay = workload.mode() == Workload.Mode.ONE_WAY;
        Tap tap = inbox.tap();
        AtomicReference<String> address = new AtomicReference<>();
        AtomicReference<JucxLink> opened = new AtomicReference<>();
        // The worker belongs to the thread that polls it.
        ServerThread thread = ServerThread.start(() -> {
            JucxLink link = opened.get();
            if (link == null) {
                link = JucxLink.forMessages(transports());
                if (oneWay) {
                    link.onMessage(MESSAGE, data -> count(tap, data));
                } else {
                    echo(link, workload.size());
                }
                opened.set(link);
                address.set(link.address());
            }
            link.progress();
        });
        JucxLink.await(() -> address.get() != null, () -> {}, "the worker did not start");
        return new Server(thread, opened.get(), address.get());
    }

    private static void count(Tap tap, UcpAmData data) {
        int length = (int) data.getLength();
        if (tap.wants(length)) {
            JucxLink.copy(data, tap.copy());
        }
        tap.received(length);
    }

    /** The first message brings the address for the echoes. */
    private static void echo(JucxLink link, int size) {
        byte[] copy = new byte[size];
        link.onMessage(HELLO, data -> {
            byte[] back = new byte[(int) data.getLength()];
            JucxLink.copy(data, back);
            link.connectBytes(back);
        });
        link.onMessage(MESSAGE, data -> {
            JucxLink.copy(data, copy);
            while (!link.send(MESSAGE, copy)) {
                link.progressOnce();
            }
        });
    }

    @Override
    public PeerClient connect(Workload workload, String address) {
        return new Client(transports(), address);
    }

    private record Server(ServerThread thread, JucxLink link, String address) implements PeerServer {
        @Override
        public void close() throws IOException {
            thread.close();
            link.close();
        }
    }

    private record Client(String transports, String address) implements PeerClient {
        @Override
        public Sender sender(int thread) throws Exception {
            JucxLink link = JucxLink.forMessages(transports);
            link.connect(address);
            return new Sender() {
                @Override
                public boolean send(byte[] payload) throws Exception {
                    if (link.send(MESSAGE, payload)) {
                        return true;
                    }
                    link.progress();
                    return false;
                }

                @Override
                public void close() throws IOException {
                    link.close();
                }
            };
        }

        @Override
        public void pingPong(PingPong loop) throws Exception {
            try (JucxLink link = JucxLink.forMessages(transports)) {
                link.connect(address);
                boolean[] answered = new boolean[1];
                link.onMessage(MESSAGE, data -> {
                    int length = (int) data.getLength();
                    if (loop.wants(length)) {
                        JucxLink.copy(data, loop.copy());
                    }
                    loop.answered(length);
                    answered[0] = true;
                });
                if (!link.send(HELLO, link.addressBytes())) {
                    throw new IOException("can't send");
                }
                while (loop.next()) {
                    answered[0] = false;
                    while (!link.send(MESSAGE, loop.payload())) {
                        link.progress();
                    }
                    JucxLink.await(() -> answered[0], link::progress, "no answer");
                }
            }
        }

        @Override
        public void close() {
            // each thread closes its own
        }
    }
}
