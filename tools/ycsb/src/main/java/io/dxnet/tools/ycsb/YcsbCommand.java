package io.dxnet.tools.ycsb;

import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.ChildProcess;
import io.dxnet.tools.bench.nodes.Transports;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./dxnet ycsb}. */
@Command(
        name = "ycsb",
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "A key-value store on DXNet under the Yahoo! Cloud Serving Benchmark.",
        descriptionHeading = "%nWhat is measured:%n",
        description = {
            "YCSB's own core workload and client threads, through a binding of the store, as in the DXNet paper, section XIII-D: "
                    + "one object of 64 bytes for each key, 90 %% reads, 10 %% updates, uniform distribution.",
            "The storage node keeps its records in memory. Client threads are on client nodes with at most --threads-per-client "
                    + "of them, all in this process; storage nodes are in processes of their own where the transport "
                    + "connects processes.",
            "First all records are loaded; then each number of threads runs for --warmup and --runs times --seconds. Each thread "
                    + "waits for an operation before it begins the next: latency is from the call to its return.",
            "--gets memory: the storage node publishes its records in memory that clients read by themselves, where the "
                    + "transport's hardware can, else the storage node's engine reads it for them; a record that they do not "
                    + "find there whole is read by a message. --gets messages,memory measures both in turn.",
            "--verify: each value is derived from its key, and YCSB checks what is read; it costs time."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExit code:%n",
        footer = {"0 when all is well, 1 when an operation failed or read something wrong, 2 for wrong options."})
final class YcsbCommand implements Callable<Integer> {
    private static final int LOAD_THREADS = 64;

    @Mixin
    private YcsbOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        options.complete(spec.commandLine().getParseResult());
        String transport = Transports.resolve(options.clientConfiguration(options.nodeOptions.transport(), null));
        if (options.serve) {
            return serve(transport);
        }
        List<Integer> threads = options.threadCounts();
        int largest = Math.max(LOAD_THREADS, threads.getLast());
        int clientsMax = (largest + options.threadsPerClient - 1) / options.threadsPerClient;
        say(String.format(
                Locale.ROOT,
                "%d numbers of threads, about %.0f s after the records are loaded",
                threads.size(),
                threads.size() * options.gets().size() * (options.warmup + options.runs * options.seconds + 0.3)));
        try (StoreCluster cluster = new StoreCluster(options, transport, clientsMax)) {
            Clients clients = new Clients(options, cluster);
            double seconds = clients.load(LOAD_THREADS);
            say(String.format(
                    Locale.ROOT,
                    "loaded %,d records in %.1f s, %,.0f inserts/s",
                    options.records,
                    seconds,
                    options.records / seconds));
            List<PointResult> results = new ArrayList<>();
            for (int count : threads) {
                for (Gets gets : options.gets()) {
                    PointResult result = clients.measure(count, gets);
                    results.add(result);
                    say(String.format(
                            Locale.ROOT,
                            "%d threads, gets by %s: %,.0f ops/s, %,.1f µs",
                            count,
                            gets,
                            result.operationsPerSecond().avg(),
                            result.latency().avg()));
                }
            }
            return publish(new YcsbReport(transport, options, commandLine(), cluster.describe(), results));
        }
    }

    /** A storage node, until its parent or its user ends it. */
    private int serve(String transport) throws InterruptedException {
        NodeMap map = NodeMap.load(options.node, options.nodeMap);
        try (StoreNode node = new StoreNode(options.serverConfiguration(transport, null), map, options.publication())) {
            if (options.child) {
                ChildProcess.awaitParentsEnd();
            } else {
                say("storage node " + options.node + ": " + node.describe());
                new CountDownLatch(1).await();
            }
        }
        return 0;
    }

    private int publish(YcsbReport report) throws IOException {
        report.lines().forEach(System.out::println);
        if (options.json != null) {
            report.writeJson(options.json);
        }
        if (options.figures != null) {
            report.draw(options.figures).forEach(file -> say("wrote " + file));
        }
        return report.faults() ? 1 : 0;
    }

    private String commandLine() {
        List<String> words = new ArrayList<>(List.of("./dxnet", "ycsb"));
        words.addAll(spec.commandLine().getParseResult().originalArgs());
        return String.join(" ", words);
    }

    private static void say(String line) {
        System.err.println("ycsb: " + line);
    }
}
