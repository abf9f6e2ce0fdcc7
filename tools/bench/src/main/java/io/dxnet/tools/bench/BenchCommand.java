package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.report.Csv;
import io.dxnet.tools.report.Progress;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./dxnet bench}. */
@Command(
        name = "bench",
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Measures DXNet: sends real messages between nodes and prints what came of it.",
        descriptionHeading = "%nWhat is measured:%n",
        description = {
            "Throughput (uni, bi, all-to-all, ring): each sending thread sends one message object again and again; each message is "
                    + "received as a new object (--reusable: one object per handler thread), its payload copied into a byte array, "
                    + "and given to a callback, which counts it. The rate is the messages processed at all receivers over the time "
                    + "from the coordinator's start to the last receiver's report that it has processed everything.",
            "Round trips (rtt): each thread sends a request, waits for the response, sends the next (a closed loop: a slow response "
                    + "delays those behind it and counts once). A message is a request answered; bytes are those of the requests.",
            "--verify: payloads are generated from sender, thread, receiver and sequence number, and every byte is checked; per stream of "
                    + "sender thread and receiver, messages lost, duplicated, reordered and corrupted are counted. Payloads below "
                    + "8 bytes carry the low bytes of the number (1 byte: modulo 256); a loss of a whole multiple of its range is found by the "
                    + "number of messages. Generating and checking costs time: don't compare the rates. Without it, lost and "
                    + "duplicated come from the numbers of messages, and reordered and corrupted are not known (null).",
            "Allocation: heap bytes of all threads of all node processes during a run, senders and benchmark included, per message.",
            "Runs: warm-up in the same processes, then --runs runs; the values are averages, min and max are over the runs."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExit code:%n",
        footer = {
            "0 when all is well, 1 when a message was lost, duplicated, reordered or corrupted or a node failed, 2 for wrong options."
        })
final class BenchCommand implements Callable<Integer> {
    @Mixin
    private BenchOptions options;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws BenchException, IOException {
        if (options.node != null) {
            return node();
        }
        Plan plan = options.plan();
        String clusterName = "bench-" + Long.toHexString(Heap.PROCESS);
        DXNetConfig requested = options.configuration(clusterName);
        options.check(plan, requested, options.nodes);
        String transport = Transports.resolve(requested);
        DXNetConfig config = requested.toBuilder().transport(transport).build();
        try (Floor floor = options.floor ? new Floor() : null) {
            if (floor != null) {
                say("measuring the floor");
                floor.measure(plan);
            }
            Report report;
            try (Cluster cluster = transport.equals(Transports.LOOPBACK)
                    ? Cluster.inThisProcess(config, options.nodes)
                    : Cluster.onThisMachine(
                            config, options.nodes, id -> options.childArguments(id, transport, clusterName))) {
                report = measure(cluster, plan, config, Duration.ofSeconds(30));
            }
            if (floor != null) {
                say("measuring the floor again");
                floor.measure(plan);
                report.setFloor(floor.results());
            }
            return publish(report);
        }
    }

    /** One node of a cluster whose processes are started one by one, by hand or by the benchmark. */
    private int node() throws BenchException, IOException {
        DXNetConfig requested = options.configuration(null);
        if (options.nodeMap == null) {
            throw new IllegalArgumentException("--node and --node-map belong together");
        }
        NodeMap map = NodeMap.load(options.node, options.nodeMap);
        int[] ids = Cluster.ids(map);
        if (map.address(options.node) == null) {
            throw new IllegalArgumentException("node " + options.node + " is not in " + options.nodeMap);
        }
        DXNetConfig config =
                requested.toBuilder().transport(Transports.resolve(requested)).build();
        Duration patience = Duration.ofSeconds(options.wait);
        if (options.child || options.node != ids[0]) {
            if (!options.child) {
                say("node " + options.node + " waits for node " + ids[0] + " to coordinate");
            }
            return ServedNode.run(config, map, patience, options.child);
        }
        Plan plan = options.plan();
        options.check(plan, config, ids.length);
        if (options.floor) {
            throw new IllegalArgumentException("--floor is for nodes on one machine");
        }
        Report report;
        try (Cluster cluster = Cluster.byHand(config, map)) {
            report = measure(cluster, plan, config, patience);
        }
        return publish(report);
    }

    private Report measure(Cluster cluster, Plan plan, DXNetConfig config, Duration patience) throws BenchException {
        Coordinator coordinator = cluster.coordinator();
        Map<Integer, String> infos = coordinator.join(patience);
        boolean terminal = Boolean.getBoolean("bench.terminal");
        int rounds = plan.sizes().size() * plan.rounds();
        try (Progress progress = Progress.create(terminal, rounds, System.err)) {
            Measurement measurement = new Measurement(coordinator, plan, progress);
            Report report = new Report(
                    config.transport(),
                    coordinator.ids().length,
                    options.handlers,
                    plan,
                    commandLine(),
                    infos,
                    measurement.results());
            try {
                measurement.run();
            } catch (BenchException e) {
                if (!report.results().isEmpty()) {
                    Table.print(report, System.out);
                }
                throw e;
            }
            return report;
        }
    }

    private int publish(Report report) throws IOException {
        Table.print(report, System.out);
        if (options.csv != null) {
            Csv.write(JsonWriter.toList(report), options.csv);
        }
        if (options.json != null) {
            JsonWriter.write(report, options.json);
        }
        if (options.plot != null) {
            new Plots(report, options.plot).draw().forEach(file -> say("wrote " + file));
        }
        boolean faults =
                report.results().stream().anyMatch(result -> result.faults().any());
        return faults ? 1 : 0;
    }

    private String commandLine() {
        List<String> words = new ArrayList<>(List.of("./dxnet"));
        words.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
        return String.join(" ", words);
    }

    private static void say(String line) {
        System.err.println("bench: " + line);
    }
}
