package io.dxnet.tools.ledger;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Measures what a first request to a good node costs while
 * requests to many silent nodes wait for connections.
 */
@Command(
        name = "ledger silent",
        mixinStandardHelpOptions = true,
        description = {
            "Sends requests to nodes that never answer, half of which accept connections and send nothing and half of which",
            "do not even accept (full backlog), then the first request to a good node, and compares its time with that of",
            "a first request without silent nodes."
        })
final class SilentCommand implements Callable<Integer> {
    private static final int OWN = 0;
    private static final int GOOD = 1;
    private static final int FIRST_SILENT = 100;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @Mixin
    private ConfigOptions options;

    @Option(names = "--silent", defaultValue = "1000", description = "silent nodes; default 1000")
    private int silent;

    @Option(names = "--times", defaultValue = "5", description = "measurements of each; default 5")
    private int times;

    @Option(names = "--bound", defaultValue = "50", description = "the most extra time, milliseconds; default 50")
    private double boundMs;

    private final List<AutoCloseable> open = new ArrayList<>();
    private int failures;

    @Override
    public Integer call() throws Exception {
        if (options.isLoopback()) {
            throw new IllegalArgumentException("transport loopback has no nodes that are silent");
        }
        try {
            String accepting = address(acceptingListener());
            String full = address(fullListener());
            Times without = new Times();
            Times with = new Times();
            measure(0, accepting, full); // loads the classes
            for (int i = 0; i < times; i++) {
                without.add(measure(0, accepting, full));
                with.add(measure(silent, accepting, full));
            }
            double extra = with.median() - without.median();
            System.out.printf("first request to a good node, %s, ms, sorted%n", options.transport());
            System.out.printf("  no silent nodes          %s%n", without);
            System.out.printf("  %4d silent, requested   %s%n", silent, with);
            System.out.printf("  extra (medians)          %.1f ms, bound %.0f ms%n", extra, boundMs);
            System.out.printf("  requests that failed: %d%n", failures);
            return extra <= boundMs ? 0 : 1;
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }

    private static String address(ServerSocket socket) {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    private ServerSocket acceptingListener() throws IOException {
        ServerSocket socket = new ServerSocket(0, 4096, InetAddress.getLoopbackAddress());
        open.add(socket);
        return socket; // the kernel accepts for it
    }

    /** A listener whose backlog is full: the kernel drops what asks for a connection. */
    private ServerSocket fullListener() throws IOException {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        open.add(socket);
        for (int i = 0; i < 8; i++) {
            SocketChannel filler = SocketChannel.open();
            open.add(filler);
            filler.configureBlocking(false);
            filler.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), socket.getLocalPort()));
        }
        return socket;
    }

    /** A request that fails for good counts with its time. */
    private void ask(DXNet net) {
        try {
            failures += SmallMessages.ask(net, GOOD, TIMEOUT);
        } catch (DXNetException e) {
            failures++;
        }
    }

    private double measure(int silentNodes, String accepting, String full) throws Exception {
        List<String> addresses = LocalHost.addresses(2);
        DXNetConfig config = options.config(1, 0).toBuilder()
                .maxConnections(silentNodes + 100)
                .ringBytes(16 << 10)
                .flowControlWindowBytes(64 << 10)
                .closeTimeoutMs(100)
                .build();
        NodeMap map = LocalHost.map(OWN, addresses);
        for (int i = 0; i < silentNodes; i++) {
            map.put(FIRST_SILENT + i, i % 2 == 0 ? accepting : full);
        }
        try (DXNet _ = SmallMessages.open(config, LocalHost.map(GOOD, addresses));
                DXNet net = SmallMessages.open(config, map)) {
            TimeUnit.MILLISECONDS.sleep(200); // until the good node has its types and accepts
            for (int i = 0; i < silentNodes; i++) {
                int to = FIRST_SILENT + i;
                Thread.ofVirtual().start(() -> net.sendAsync(new SmallMessages.Question(to), TIMEOUT));
            }
            TimeUnit.MILLISECONDS.sleep(500); // all of them are connecting
            long beginNs = System.nanoTime();
            ask(net);
            return (System.nanoTime() - beginNs) / 1e6;
        }
    }
}
