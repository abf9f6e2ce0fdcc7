package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.Message;
import io.dxnet.tools.report.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** The options of {@code ./dxnet bench}. */
final class BenchOptions {
    private static final double SECONDS_DEFAULT = 1;
    private static final int PROCESSES_MAX = 64;

    @Option(
            names = "--transport",
            paramLabel = "NAME",
            description =
                    "loopback (all nodes in this process), nio (TCP), or auto, the best available; default ${DEFAULT-VALUE}",
            defaultValue = Transports.AUTO)
    String transport;

    @Option(
            names = "--pattern",
            paramLabel = "NAME",
            description =
                    "uni (node 0 to 1), bi (both ways), rtt (requests from node 0 and responses), all-to-all, ring; "
                            + "default ${DEFAULT-VALUE}",
            defaultValue = "uni")
    String pattern;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "number of nodes; default ${DEFAULT-VALUE}",
            defaultValue = "2")
    int nodes;

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "sending threads of each sending node, 1 to 256; default ${DEFAULT-VALUE}",
            defaultValue = "1")
    int threads;

    @Option(
            names = "--handlers",
            paramLabel = "H",
            description = "message handler threads of each node; default: DXNet chooses from the cores",
            defaultValue = "0")
    int handlers;

    @Option(
            names = "--size",
            paramLabel = "SIZES",
            description = "payload in bytes: 64, a list 1,64,4K, or powers of two 1..1M; default ${DEFAULT-VALUE}",
            defaultValue = "64")
    String size;

    @Option(
            names = "--messages",
            paramLabel = "N",
            description = "messages that each sending node sends in a run, over all its threads and receivers "
                    + "(limited by --bytes-max); default: as many as fit in --seconds")
    long messages;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "time of a run; with --messages: whichever is over first; default 1 without --messages")
    double seconds;

    @Option(
            names = "--bytes-max",
            paramLabel = "BYTES",
            description =
                    "with --messages: payload that each sending node sends in a run at most; default ${DEFAULT-VALUE}",
            defaultValue = "8G")
    String bytesMax;

    @Option(
            names = "--runs",
            paramLabel = "R",
            description = "measured runs of each size; default ${DEFAULT-VALUE}",
            defaultValue = "3")
    int runs;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "seconds of unmeasured sending before the runs of each size, twice that for the first; "
                    + "default ${DEFAULT-VALUE}",
            defaultValue = "1")
    double warmup;

    @Option(
            names = "--verify",
            description = "check every byte and the order of every message received (ordered message type)")
    boolean verify;

    @Option(
            names = "--reusable",
            description = "one message object per handler thread (reusable type) instead of a new one per message")
    boolean reusable;

    @Option(
            names = "--floor",
            description =
                    "measure what TCP gives without DXNet, before and after: a batched stream, or a ping-pong for rtt")
    boolean floor;

    @Option(names = "--csv", paramLabel = "FILE", description = "write the results as comma separated values")
    Path csv;

    @Option(names = "--json", paramLabel = "FILE", description = "write the results as JSON")
    Path json;

    @Option(names = "--plot", paramLabel = "DIR", description = "draw the results over the size, as PNG and SVG")
    Path plot;

    @Option(
            names = "--node",
            paramLabel = "ID",
            description = "real cluster: the node that this process is; the one with the lowest id coordinates")
    Integer node;

    @Option(
            names = "--node-map",
            paramLabel = "FILE",
            description = "real cluster: a properties file with a line id=host:port for each node")
    Path nodeMap;

    @Option(
            names = "--wait",
            paramLabel = "S",
            description = "real cluster: how long nodes wait for each other at the start; default ${DEFAULT-VALUE}",
            defaultValue = "120")
    int wait;

    @Option(
            names = "--stall",
            paramLabel = "S",
            description = "a run in which nothing moves for this long has failed; default ${DEFAULT-VALUE}",
            defaultValue = "15")
    int stall;

    @Option(names = "--config", paramLabel = "FILE", description = "DXNet's configuration, a properties file")
    Path config;

    @Option(
            names = "-D",
            paramLabel = "KEY=VALUE",
            description = "a value of DXNet's configuration: -D orbBytes=4M or -Ddxnet.orbBytes=4M")
    Map<String, String> overrides = new LinkedHashMap<>();

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    boolean help;

    @Option(names = "--child", hidden = true, description = "started by the benchmark itself")
    boolean child;

    /** What is to be measured; checks the values. */
    Plan plan() {
        range("--threads", threads, 1, Types.THREADS_MAX);
        range("--runs", runs, 1, 1000);
        range("--stall", stall, 1, 3600);
        range("--wait", wait, 1, 86400);
        if (messages < 0 || seconds < 0 || warmup < 0) {
            throw new IllegalArgumentException("--messages, --seconds and --warmup can't be negative");
        }
        double time = seconds == 0 && messages == 0 ? SECONDS_DEFAULT : seconds;
        List<Integer> sizes = Sizes.parse(size);
        long bytes = Sizes.bytes(bytesMax);
        return new Plan(
                Pattern.parse(pattern), sizes, threads, messages, time, warmup, runs, verify, reusable, bytes, stall);
    }

    /** DXNet's configuration: file, then system properties, then -D, then the options with names of their own. */
    DXNetConfig configuration(String clusterName) {
        DXNetConfig.Builder builder = DXNetConfig.builder();
        if (config != null) {
            builder.load(config);
        }
        builder.systemProperties();
        overrides.forEach((key, value) -> builder.set(key.startsWith("dxnet.") ? key.substring(6) : key, value));
        if (clusterName != null) {
            builder.clusterName(clusterName);
        }
        if (!transport.equals(Transports.AUTO)) {
            builder.transport(transport);
        }
        if (handlers != 0) {
            builder.handlers(handlers);
        }
        return builder.build();
    }

    /** Checks what needs more than one option. */
    void check(Plan plan, DXNetConfig configuration, int nodeCount) {
        range("--nodes", nodeCount, 2, node == null ? PROCESSES_MAX : Message.NODES_MAX);
        int largest = plan.sizes().getLast();
        if (largest > configuration.maxMessageBytes()) {
            throw new IllegalArgumentException("size " + Sizes.format(largest) + " is above maxMessageBytes="
                    + Sizes.format(configuration.maxMessageBytes()) + ": add -D maxMessageBytes=...");
        }
        if ((node == null) != (nodeMap == null)) {
            throw new IllegalArgumentException("--node and --node-map belong together");
        }
    }

    /** The arguments of a process that is one of the other nodes. */
    List<String> childArguments(int id, String transportName, String clusterName) {
        List<String> arguments = new ArrayList<>(List.of("bench", "--child", "--node", Integer.toString(id)));
        arguments.addAll(List.of("--transport", transportName, "--handlers", Integer.toString(handlers)));
        if (config != null) {
            arguments.addAll(List.of("--config", config.toAbsolutePath().toString()));
        }
        overrides.forEach((key, value) -> arguments.add("-D" + key + "=" + value));
        arguments.add("-DclusterName=" + clusterName);
        return arguments;
    }

    private static void range(String option, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(option + " " + value + " is not in " + min + ".." + max);
        }
    }
}
