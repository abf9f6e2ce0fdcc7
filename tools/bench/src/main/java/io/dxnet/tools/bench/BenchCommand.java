package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.NodeMaps;
import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.report.Csv;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
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
            "Throughput (uni, bi, all-to-all, ring, switch): each sending thread sends one message object again and"
                    + " again; each message is received as a new object (--api reusable: one object per handler thread, one way;"
                    + " --api records: a record), its payload copied into a byte array, and given to a callback, which"
                    + " counts it. The rate is the messages processed at all receivers over the time from the"
                    + " coordinator's start to the last receiver's report that it has processed everything.",
            "Round trips (rtt, rtt-all-to-all): each thread sends a request, waits for the response, sends the next (a"
                    + " closed loop: a slow response delays those behind it and counts once). A message is a request"
                    + " answered; bytes are those of the requests.",
            "Remote memory (read, write, atomic, notify): each thread of node 0 accesses a slice of a region of each"
                    + " other node, one blocking operation after the other; with --batch N, N operations in a chain that"
                    + " is posted at once and waited for, and the times are those of whole chains; with --chains C, a"
                    + " thread waits only for the oldest of C chains that it has posted. An operation counts"
                    + " as a message. atomic: all threads add 1 to one counter (8 bytes whatever --size is), which must"
                    + " be exact at the end. notify: what is counted are the notifications that the owner's listener"
                    + " got. Column access: whether hardware or the node itself accesses the memory (one-sided), or the"
                    + " owner's engine for messages. --pattern read,rtt measures sendSync in the same processes.",
            "--verify: payloads are generated from sender, thread, receiver and sequence number, and every byte is"
                    + " checked; per stream of sender thread and receiver, messages lost, duplicated, reordered and"
                    + " corrupted are counted. Payloads below 8 bytes carry the low bytes of the number (1 byte: modulo"
                    + " 256); a loss of a whole multiple of its range is found by the number of messages. Generating and"
                    + " checking costs time: don't compare the rates. Without it, lost and duplicated come from the"
                    + " numbers of messages, and reordered and corrupted are not known (null).",
            "--verify with remote memory: the owner fills what is read, and every byte read is checked; what is written"
                    + " is read back after each operation or chain; atomics must find a larger counter each time;"
                    + " notifications must come in order.",
            "Allocation: heap bytes of all threads of all node processes during a run, senders and benchmark included,"
                    + " per message.",
            "CPU: processor time, user and system, of all threads of all node processes during a run, per message.",
            "Runs: warm-up in the same processes, then --runs runs; the values are averages, min and max are over the"
                    + " runs.",
            "Lists and ranges (--transport, --pattern, --nodes, --threads, --handlers, --parking, --size, --batch, --api):"
                    + " each"
                    + " value with each other is a point of the table; new nodes are started where transport, nodes,"
                    + " handlers or parking change.",
            "switch: half of the time (or of the messages) all-to-all, the other half only to the next node, without a"
                    + " break; the table has both rates, --plot and the figure 'switch' draw the rate over time."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExit code:%n",
        footer = {
            "0 when all is well, 1 when a message was lost, duplicated, reordered or corrupted or a node failed, 2 for"
                    + " wrong options."
        })
final class BenchCommand implements Callable<Integer> {
    @Mixin
    private BenchOptions options;

    @ArgGroup(validate = false, heading = "%nFigures:%n")
    private FigureOptions figures = new FigureOptions();

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if (figures.list()) {
            Figures.lines().forEach(System.out::println);
            return 0;
        }
        if (figures.wanted()) {
            List<String> typed = FigureOptions.others(spec.commandLine().getParseResult());
            return new FigureRunner(figures, typed, commandLine()).run();
        }
        options.checkFiles();
        if (options.node != null) {
            return node();
        }
        return measure(new SweepRunner(options));
    }

    private int measure(SweepRunner runner) throws IOException {
        Sweep sweep = runner.sweep();
        if (sweep.points() > 1) {
            SweepRunner.say(sweep.points() + " points, about " + Estimate.text(Estimate.seconds(sweep)));
        }
        return measure(new Report(sweep, commandLine()), runner::run);
    }

    /**
     * One node of a cluster whose processes are started one by one, by hand or by the benchmark.
     */
    private int node() throws IOException {
        if (options.nodeMap == null) {
            throw new IllegalArgumentException("--node and --node-map belong together");
        }
        if (options.security != null) {
            throw new IllegalArgumentException("--security makes keys for nodes of this machine;"
                    + " with --node: -D security=..., and where its keys are");
        }
        for (String each : List.of("--hosts", "--nodes", "--one-process")) {
            if (spec.commandLine().getParseResult().hasMatchedOption(each)) {
                throw new IllegalArgumentException(each + " is for nodes that this command starts: without --node");
            }
        }
        NodeMap map = NodeMap.load(options.node, options.nodeMap);
        int[] ids = Cluster.ids(map);
        if (map.address(options.node) == null) {
            throw new IllegalArgumentException("node " + options.node + " is not in " + options.nodeMap);
        }
        List<String> transports = Transports.resolveAll(options.nodeOptions.transport(), options::configuration);
        Sweep sweep = options.sweep(transports, List.of(ids.length));
        if (sweep.setups().size() > 1) {
            throw new IllegalArgumentException(
                    "nodes that are started by hand have one transport, one number of handlers and one way of parking");
        }
        DXNetConfig config = options.configuration(sweep.setups().getFirst(), null);
        Duration patience = Duration.ofSeconds(options.wait);
        if (options.child || options.node != ids[0]) {
            if (!options.child) {
                SweepRunner.say("node " + options.node + " waits up to " + options.wait + " s (--wait) for node "
                        + ids[0] + " at " + NodeMaps.text(map.address(ids[0])) + " to coordinate");
            }
            return ServedNode.run(config, map, patience, options.child);
        }
        options.check(sweep, config);
        if (options.floor) {
            throw new IllegalArgumentException("--floor is for nodes on one machine");
        }
        for (int id : ids) {
            if (id != options.node) {
                SweepRunner.say("node " + options.node + " waits up to " + options.wait + " s (--wait) for node " + id
                        + " at " + NodeMaps.text(map.address(id)));
            }
        }
        SweepRunner runner = new SweepRunner(options);
        return measure(new Report(sweep, commandLine()), r -> runner.runByHand(config, map, r, patience));
    }

    /** Fills a report. */
    private interface Filling {
        void fill(Report report) throws IOException;
    }

    private int measure(Report report, Filling filling) throws IOException {
        try {
            filling.fill(report);
        } catch (ToolException e) {
            if (!report.results().isEmpty()) {
                SweepRunner.say("not complete: the table and the files have what was measured before");
                publishBefore(report, e);
            }
            throw e;
        }
        return publish(report);
    }

    private void publishBefore(Report report, ToolException failure) {
        try {
            publish(report);
        } catch (IOException | RuntimeException e) {
            failure.addSuppressed(e);
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
            new Plots(report, options.plot).draw().forEach(file -> SweepRunner.say("wrote " + file));
        }
        return report.faults().any() ? 1 : 0;
    }

    private String commandLine() {
        List<String> words = new ArrayList<>(List.of("./dxnet"));
        words.addAll(spec.commandLine().getParent().getParseResult().originalArgs());
        return String.join(" ", words);
    }
}
