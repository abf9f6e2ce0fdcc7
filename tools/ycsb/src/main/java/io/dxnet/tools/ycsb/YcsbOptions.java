package io.dxnet.tools.ycsb;

import io.dxnet.DXNetConfig;
import io.dxnet.tools.bench.nodes.NodeOptions;
import io.dxnet.tools.cli.OptionFiles;
import io.dxnet.tools.cli.Range;
import io.dxnet.tools.report.Counts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** The options of {@code ./dxnet ycsb}. */
final class YcsbOptions {
    static final int THREADS_MAX = 4096;
    private static final int HANDLERS_MAX = 128;
    private static final int QUICK_RECORDS = 10_000;
    private static final String UNIFORM = "uniform";
    private static final List<String> DISTRIBUTIONS = List.of(UNIFORM, "zipfian");
    private static final double QUICK_SECONDS = 0.5;

    @Mixin
    NodeOptions nodeOptions = new NodeOptions();

    @Option(
            names = "--threads",
            paramLabel = "T",
            description = "client threads: a number, a list or a range that doubles; default ${DEFAULT-VALUE}",
            defaultValue = "10..1280")
    String threads;

    @Option(
            names = "--threads-per-client",
            paramLabel = "T",
            description = "client threads of each client node, at most; default ${DEFAULT-VALUE}",
            defaultValue = "80")
    int threadsPerClient;

    @Option(
            names = "--servers",
            paramLabel = "N",
            description = "storage nodes; default ${DEFAULT-VALUE}",
            defaultValue = "1")
    int servers;

    @Option(
            names = "--handlers",
            paramLabel = "H",
            description = "message handlers of each storage node (the paper: 6); default: DXNet chooses from the cores",
            defaultValue = "0")
    int handlers;

    @Option(
            names = "--records",
            paramLabel = "N",
            description = "records in the store; default ${DEFAULT-VALUE}",
            defaultValue = "1000000")
    int records;

    @Option(
            names = "--size",
            paramLabel = "BYTES",
            description = "size of a record's one field; default ${DEFAULT-VALUE}",
            defaultValue = "64")
    int size;

    @Option(
            names = "--reads",
            paramLabel = "PERCENT",
            description = "reads among the operations, percent; the others are updates; default ${DEFAULT-VALUE}",
            defaultValue = "90")
    int reads;

    @Option(
            names = "--distribution",
            paramLabel = "D",
            description = "which records are accessed how often: uniform, as in the paper, or zipfian; "
                    + "default ${DEFAULT-VALUE}",
            defaultValue = UNIFORM)
    String distribution;

    @Option(
            names = "--gets",
            paramLabel = "G",
            description =
                    "how records are read: messages, memory (of the storage node, updates are messages), or both: "
                            + "messages,memory; default ${DEFAULT-VALUE}",
            defaultValue = "messages")
    String getsText;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "time of a run; default ${DEFAULT-VALUE}",
            defaultValue = "2")
    double seconds;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description = "unmeasured time before the runs of each number of threads; default ${DEFAULT-VALUE}",
            defaultValue = "1")
    double warmup;

    @Option(
            names = "--runs",
            paramLabel = "R",
            description = "measured runs of each number of threads; default ${DEFAULT-VALUE}",
            defaultValue = "3")
    int runs;

    @Option(names = "--verify", description = "check every byte that is read (YCSB's data integrity)")
    boolean verify;

    @Option(
            names = "--quick",
            description = "a short version: 10, 80 and 320 threads, 10000 records, one run of half a second each")
    boolean quick;

    @Option(
            names = "--figures",
            paramLabel = "DIR",
            description = "draw the figure (PNG, SVG) and write its numbers (CSV, TXT) into DIR")
    Path figures;

    @Option(names = "--json", paramLabel = "FILE", description = "write the results as JSON")
    Path json;

    @Option(names = "--serve", description = "real cluster: be a storage node, until the process is ended")
    boolean serve;

    @Option(
            names = "--node",
            paramLabel = "ID",
            description = "real cluster: the node that this process is; storage nodes have the ids from 0 on")
    Integer node;

    @Option(
            names = "--node-map",
            paramLabel = "FILE",
            description = "real cluster: a properties file with a line id=host:port for each node")
    Path nodeMap;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    boolean help;

    @Option(names = "--child", hidden = true, description = "started by the benchmark itself")
    boolean child;

    private List<Gets> gets;

    /** Puts the short version's values where nothing was typed, and checks all. */
    void complete(ParseResult parsed) {
        if (quick) {
            threads = parsed.hasMatchedOption("--threads") ? threads : "10,80,320";
            records = parsed.hasMatchedOption("--records") ? records : QUICK_RECORDS;
            seconds = parsed.hasMatchedOption("--seconds") ? seconds : QUICK_SECONDS;
            warmup = parsed.hasMatchedOption("--warmup") ? warmup : QUICK_SECONDS;
            runs = parsed.hasMatchedOption("--runs") ? runs : 1;
        }
        Range.check("--threads-per-client", threadsPerClient, 1, THREADS_MAX);
        Range.check("--servers", servers, 1, 64);
        Range.check("--handlers", handlers, 0, HANDLERS_MAX);
        Range.check("--records", records, 1, Integer.MAX_VALUE);
        Range.check("--size", size, 1, 1 << 20);
        Range.check("--reads", reads, 0, 100);
        Range.check("--runs", runs, 1, 1000);
        if (!DISTRIBUTIONS.contains(distribution)) {
            throw new IllegalArgumentException(
                    "--distribution " + distribution + " is none of " + String.join(", ", DISTRIBUTIONS));
        }
        gets = Gets.parse(getsText);
        Range.checkSeconds("--seconds", seconds, Range.SECONDS_MIN);
        Range.checkSeconds("--warmup", warmup, 0);
        if ((node == null) != (nodeMap == null) || serve && node == null) {
            throw new IllegalArgumentException("--node and --node-map belong together, and --serve needs both");
        }
        OptionFiles.requireReadable("--node-map", nodeMap);
        OptionFiles.requireWritable("--json", json);
        OptionFiles.requireWritableFolder("--figures", figures);
    }

    List<Integer> threadCounts() {
        return Counts.parse("--threads", threads, 1, THREADS_MAX);
    }

    /** {@return how records are read, one at least} */
    List<Gets> gets() {
        return gets;
    }

    /** {@return what a storage node publishes; null: nothing} */
    Publication publication() {
        return gets.contains(Gets.MEMORY) ? Publication.of(records, servers, size) : null;
    }

    /** The configuration of a storage node. */
    DXNetConfig serverConfiguration(String transport, String clusterName) {
        DXNetConfig.Builder builder = nodeOptions.configuration(transport, clusterName);
        if (handlers != 0) {
            builder.handlers(handlers);
        }
        return builder.build();
    }

    /** The configuration of a client node. */
    DXNetConfig clientConfiguration(String transport, String clusterName) {
        return nodeOptions.configuration(transport, clusterName).build();
    }

    /** The arguments of a process that is a storage node. */
    List<String> serverArguments(int id, Path map, String transport, String clusterName) {
        List<String> arguments = new ArrayList<>(List.of("--serve", "--child", "--node", Integer.toString(id)));
        arguments.addAll(List.of("--node-map", map.toString(), "--handlers", Integer.toString(handlers)));
        arguments.addAll(List.of("--gets", getsText, "--servers", Integer.toString(servers)));
        arguments.addAll(List.of("--records", Integer.toString(records), "--size", Integer.toString(size)));
        arguments.addAll(nodeOptions.arguments(transport, clusterName));
        return arguments;
    }
}
