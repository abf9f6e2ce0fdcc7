package io.dxnet.transport.ib;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A node in a process of its own, which can be stopped and killed: exchanges verified streams
 * with node 0, and ends with its standard input, so that it can't outlive the test. Exit code
 * 3: it received what it must not.
 *
 * <p>A JVM needs minutes to start in an emulator beside others that are busy, so the process and
 * its node start apart: first all that a node loads is loaded, by one that sends to itself alone;
 * the real one follows when the test commands it.
 */
final class FaultNode implements AutoCloseable {
    private static final int WRONG = 3;
    private static final int SOME = 50;
    private static final String READY = "ready";

    private final Process process;

    /**
     * Starts the process, and returns when it waits for {@link #go}; its Java
     * options are this process' own.
     */
    FaultNode(NodeMap map) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        for (String property : List.of("dxnet.ib.hosts", "dxnet.test.patienceFactor")) {
            String value = System.getProperty(property);
            if (value != null) {
                command.add("-D" + property + "=" + value);
            }
        }
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), FaultNode.class.getName(), "" + map.ownNodeId()));
        map.nodes().forEach((id, address) -> command.add(id + "=" + address.getHostString() + ":" + address.getPort()));
        process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        CompletableFuture<String> said = CompletableFuture.supplyAsync(this::firstLine);
        boolean ready = false;
        try {
            assertThat(said.get(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(READY);
            ready = true;
        } finally {
            if (!ready) {
                close(); // no other thread knows it yet
            }
        }
    }

    private String firstLine() {
        try {
            return process.inputReader().readLine();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts the node. */
    void go() throws IOException {
        process.getOutputStream().write(1);
        process.getOutputStream().flush();
    }

    /** A sender waits for its connection to continue, or to end. */
    static DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestDevice.configure(builder).sendTimeoutMs((int) Cluster.PATIENCE.toMillis());
    }

    /** Arguments: the own id, then {@code id=host:port} of all nodes. */
    public static void main(String[] arguments) throws IOException {
        NodeMap map = new NodeMap(Integer.parseInt(arguments[0]));
        for (int i = 1; i < arguments.length; i++) {
            String[] node = arguments[i].split("=");
            map.put(Integer.parseInt(node[0]), node[1]);
        }
        warmUp(map);
        System.out.println(READY);
        if (System.in.read() < 0) {
            return;
        }
        Cluster cluster = new Cluster(List.of(map), FaultNode::configure);
        VerifiedStream.Receiver receiver =
                new VerifiedStream.Receiver(cluster.node(0), map.nodes().size());
        new VerifiedStream(cluster.node(0), 0);
        while (System.in.read() >= 0) {
            continue; // nothing is sent on it
        }
        if (receiver.wrong() != null) {
            System.err.println("node " + map.ownNodeId() + ": " + receiver.wrong());
        }
        Runtime.getRuntime().halt(receiver.wrong() == null ? 0 : WRONG);
    }

    /** A node of this id, unknown to the others, sends to itself. */
    private static void warmUp(NodeMap real) {
        int id = real.ownNodeId();
        NodeMap alone = new NodeMap(id);
        alone.put(id, real.address(id).getHostString() + ":0");
        try (Cluster cluster = new Cluster(List.of(alone), FaultNode::configure)) {
            VerifiedStream.Receiver receiver = new VerifiedStream.Receiver(cluster.node(0), id + 1);
            try (VerifiedStream stream = new VerifiedStream(cluster.node(0), id)) {
                Cluster.await("messages to itself", () -> receiver.received(id) >= SOME && stream.sent() > 0);
            }
            cluster.awaitQuiet();
        }
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
        Cluster.await("the end of the process", () -> !process.isAlive());
    }

    /** SIGSTOP or SIGCONT. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, "" + process.pid())
                .inheritIO()
                .start()
                .waitFor();
    }

    /** Lets it end, and returns whether all that it received was right. */
    boolean end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return process.waitFor(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
