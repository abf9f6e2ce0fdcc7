package io.dxnet.tools.ledger;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.ledger.node.NodeSpec;
import io.dxnet.tools.ledger.node.SenderKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Option;

/** The options that all nodes of a ledger share. */
final class LedgerOptions extends ConfigOptions {
    private static final String LOOPBACK_ADDRESS = "127.0.0.1";
    private static final int REPORT_SLACK_MS = 10_000;

    @Option(
            names = "--hosts",
            paramLabel = "ADDRESSES",
            split = ",",
            description = "addresses of this machine that the nodes get in turn; default 127.0.0.1")
    private List<String> hosts = List.of();

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "nodes, 2 to 60; default ${DEFAULT-VALUE}",
            defaultValue = "5")
    private int nodes;

    @Option(
            names = "--limit",
            paramLabel = "N",
            description = "maxConnections of each node; default: with events, each run of a node chooses 2 to N")
    private Integer limit;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "the most messages of a node per second; default ${DEFAULT-VALUE}, as many as possible",
            defaultValue = "0")
    private int rate;

    @Option(
            names = "--senders",
            paramLabel = "KIND",
            split = ",",
            description = "from where messages are sent: ${COMPLETION-CANDIDATES}; default all")
    private Set<SenderKind> senders = EnumSet.allOf(SenderKind.class);

    @Option(
            names = "--start-limit",
            paramLabel = "S",
            description = "the longest wait for a node's process to start or to answer, and for a round to end after"
                    + " its traffic, seconds, 10 to 3600; default ${DEFAULT-VALUE}: an emulated machine needs more",
            defaultValue = "300")
    private int startLimitSeconds;

    /** {@return the longest wait for a node's process to start or to answer} */
    Duration startLimit() {
        return Duration.ofSeconds(startLimitSeconds);
    }

    /** With addresses, those choose the devices. */
    @Override
    Optional<String> chosenDevice() {
        return hosts.isEmpty() ? super.chosenDevice() : namedDevice();
    }

    @Override
    String device() {
        return chosenDevice().orElse("the devices of " + String.join(", ", hosts));
    }

    /** Addresses of this machine that the nodes get in turn. */
    List<String> hosts() {
        return hosts.isEmpty() ? List.of(LOOPBACK_ADDRESS) : hosts;
    }

    /** The address of a node. */
    String host(int node) {
        return hosts().get(node % hosts().size());
    }

    int nodes() {
        return nodes;
    }

    int rate() {
        return rate;
    }

    Set<SenderKind> senders() {
        return senders;
    }

    /** Whether the nodes have software devices, whose faults can be begun. */
    boolean isSoftDevice() {
        return Transports.onSoftwareDevice(config(EventMode.NONE, 0, 0));
    }

    /** Whether all nodes have to be in one process. */
    boolean isInOneProcess() {
        return Transports.inOneProcess(config(EventMode.NONE, 0, 0));
    }

    void check() {
        if (nodes < 2 || nodes > 60) {
            throw new IllegalArgumentException("--nodes " + nodes + " is not in 2..60");
        }
        if (rate < 0) {
            throw new IllegalArgumentException("--rate " + rate + " is negative");
        }
        if (startLimitSeconds < 10 || startLimitSeconds > 3600) {
            throw new IllegalArgumentException("--start-limit " + startLimitSeconds + " is not in 10..3600");
        }
        config(EventMode.NONE, 0, 0);
    }

    /** The configuration of a node's run: what may differ between nodes follows from the seed. */
    DXNetConfig config(EventMode events, long seed, int run) {
        Random random = random(seed, run);
        DXNetConfig.Builder builder = builder(seed, random);
        if (!events.isHealthy()) {
            builder.sendTimeoutMs(5_000).requestTimeoutMs(10_000);
        }
        int chosen = 2 + random.nextInt(Math.max(1, nodes - 1));
        if (limit != null) {
            builder.maxConnections(limit);
        } else if (events != EventMode.NONE) {
            builder.maxConnections(chosen);
        }
        return build(builder);
    }

    /** {@return the time within which a node's listeners get a report, on a busy machine} */
    long reportSlackNs() {
        int ms = Math.max(REPORT_SLACK_MS, config(EventMode.ALL, 0, 0).requestTimeoutMs());
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }

    /** One run of a node. */
    NodeSpec spec(int node, int run, long seed, Path directory) {
        return new NodeSpec(node, run, nodes, seed, rate, senders, directory);
    }

    /** The same options for a process. */
    List<String> arguments() {
        List<String> arguments =
                new ArrayList<>(List.of("--transport", transport(), "--nodes", "" + nodes, "--rate", "" + rate));
        arguments.addAll(List.of("--security", security()));
        namedDevice().ifPresent(name -> arguments.addAll(List.of("--device", name)));
        hosts.forEach(host -> arguments.add("--hosts=" + host));
        if (limit != null) {
            arguments.addAll(List.of("--limit", "" + limit));
        }
        senders.forEach(kind -> arguments.add("--senders=" + kind));
        overrides().forEach((key, value) -> arguments.add("-D" + key + "=" + value));
        return arguments;
    }

    /** The directory of a round's books. */
    static Path round(Path directory, int round) {
        return directory.resolve("round-" + round);
    }
}
