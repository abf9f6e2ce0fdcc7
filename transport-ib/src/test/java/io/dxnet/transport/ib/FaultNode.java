package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A node in a process of its own, which can be stopped and killed: exchanges verified streams with node 0, and ends with its standard
 * input, so that it can't outlive the test. Exit code 3: it received what it must not.
 */
final class FaultNode implements AutoCloseable {
    private static final int WRONG = 3;

    private final Process process;

    /** Starts it; its Java options are this process' own. */
    FaultNode(NodeMap map) throws IOException {
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
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A sender waits for its connection to go on, or to end. */
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
        Cluster cluster = new Cluster(List.of(map), FaultNode::configure);
        VerifiedStream.Receiver receiver =
                new VerifiedStream.Receiver(cluster.node(0), map.nodes().size());
        new VerifiedStream(cluster.node(0), 0);
        while (System.in.read() >= 0) {
            continue; // nothing is said on it
        }
        if (receiver.wrong() != null) {
            System.err.println("node " + map.ownNodeId() + ": " + receiver.wrong());
        }
        Runtime.getRuntime().halt(receiver.wrong() == null ? 0 : WRONG);
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

    /** Lets it end, and says whether it was content with what it received. */
    boolean end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        return process.waitFor(Cluster.PATIENCE.toSeconds(), TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
