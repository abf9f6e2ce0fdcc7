package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.ParkingStrategy;
import io.dxnet.SecurityMode;
import io.dxnet.tools.bench.nodes.NodeOptions;
import io.dxnet.tools.cli.OptionFiles;
import io.dxnet.tools.cli.Range;
import io.dxnet.tools.report.Counts;
import io.dxnet.tools.report.Sizes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code ./dxnet bench}. */
final class BenchOptions {
    static final String LOOPBACK_ADDRESS = "127.0.0.1";
    private static final double SECONDS_DEFAULT = 1;
    private static final int PAUSE_MICROS_MAX = 1_000_000;
    private static final int PROCESSES_MAX = 64;
    private static final int THREADS_MAX = 4096;
    private static final int HANDLERS_MAX = 128;

    @Mixin
    NodeOptions nodeOptions = new NodeOptions();

    @Mixin
    MemoryOptions memoryOptions = new MemoryOptions();

    @Option(
            names = "--pattern",
            paramLabel = "NAMES",
            description =
                    "one or a list of uni (node 0 to 1), bi (both ways), rtt (requests from node 0 and responses),"
                            + " rtt-all-to-all (requests from each node to each other), all-to-all, ring, switch"
                            + " (all-to-all, then ring, in one run), and, of remote memory by node 0, read, write,"
                            + " atomic and notify; default ${DEFAULT-VALUE}",
            defaultValue = "uni")
    String pattern;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "number of nodes: 2, a list 2,4,6 or a range 2..8 (doubling); default ${DEFAULT-VALUE}",
            defaultValue = "2")
    String nodes;

    @Option(
            names = "--threads",
            paramLabel = "T",
            description =
                    "sending threads of each sending node, 1 to 4096 (with --verify to 256): a number, list or range"
                            + " 1..128; default ${DEFAULT-VALUE}",
            defaultValue = "1")
    String threads;

    @Option(
            names = "--handlers",
            paramLabel = "H",
            description =
                    "message handler threads of each node, up to 128: a number, list or range; default: DXNet chooses "
                            + "from the cores",
            defaultValue = "0")
    String handlers;

    @Option(
            names = "--parking",
            paramLabel = "NAMES",
            description = "what idle threads do: never, always, adaptive, or a list; default: as configured")
    String parking;

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
    Long messages;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "time of a run; with --messages: whichever is over first; default 1 without --messages")
    Double seconds;

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
            description = "measured runs of each point; default ${DEFAULT-VALUE}",
            defaultValue = "3")
    int runs;

    @Option(
            names = "--warmup",
            paramLabel = "S",
            description =
                    "seconds of unmeasured sending before the runs of each point; 0: the table also has the age of the "
                            + "processes at which the rate had become steady; default ${DEFAULT-VALUE}",
            defaultValue = "1")
    double warmup;

    @Option(
            names = "--first-warmup",
            paramLabel = "S",
            description =
                    "the same for the first point of new nodes, whose compiler has everything to do; default: twice "
                            + "--warmup")
    Double firstWarmup;

    @Option(
            names = "--pause",
            paramLabel = "US",
            description =
                    "rtt: microseconds that a thread sleeps before each request, so that the other threads fall asleep; "
                            + "default ${DEFAULT-VALUE}",
            defaultValue = "0")
    int pause;

    @Option(
            names = "--verify",
            description =
                    "check every byte and the order of every message received (ordered message type), or of every operation")
    boolean verify;

    @Option(
            names = "--api",
            paramLabel = "NAMES",
            description =
                    "how messages are made and received: messages (classes; a new object for each), reusable (classes;"
                            + " one object for each handler thread), records (derived codecs), or a list; default"
                            + " ${DEFAULT-VALUE}",
            defaultValue = "messages")
    String api;

    @Option(
            names = "--floor",
            description = "measure TCP without DXNet, before and after: a batched stream, or a ping-pong for rtt")
    boolean floor;

    @Option(names = "--csv", paramLabel = "FILE", description = "write the results as comma separated values")
    Path csv;

    @Option(names = "--json", paramLabel = "FILE", description = "write the results as JSON")
    Path json;

    @Option(names = "--plot", paramLabel = "DIR", description = "draw the results, as PNG and SVG")
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
            names = "--security",
            paramLabel = "MODE",
            description =
                    "none, key, or tls (mutual TLS), with keys that are made for this command and deleted after it; "
                            + "default: as configured (-D security=...)")
    SecurityMode security;

    @Option(
            names = "--hosts",
            paramLabel = "ADDRESSES",
            split = ",",
            description = "addresses of this machine that its nodes get in turn; with another than the default"
                    + " ${DEFAULT-VALUE}, security=none unless it is set",
            defaultValue = LOOPBACK_ADDRESS)
    List<String> hosts;

    @Option(
            names = "--one-process",
            description = "all nodes in this process, where each would have its own (loopback and soft0: always)")
    boolean oneProcess;

    @Option(
            names = "--binding",
            paramLabel = "NAME",
            description =
                    "transport ib: how verbs are called, by the C function pointers of the device in all cases: ffm"
                            + " (java.lang.foreign), jni (the code of jmh-benchmarks, which needs a C compiler) or"
                            + " upcall (as jni, but C calls Java with the completions that a poll found);"
                            + " default: ffm, but the Java methods of a software device")
    String binding;

    @Option(
            names = "--wait",
            paramLabel = "S",
            description = "how long nodes wait for each other at the start; default ${DEFAULT-VALUE}",
            defaultValue = "120")
    int wait;

    @Option(
            names = "--stall",
            paramLabel = "S",
            description = "a run in which nothing moves for this long has failed; default ${DEFAULT-VALUE}",
            defaultValue = "15")
    int stall;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    boolean help;

    @Option(names = "--child", hidden = true, description = "started by the benchmark itself")
    boolean child;

    /**
     * What is to be measured; checks the values.
     *
     * @param transports resolved
     * @param counts of nodes
     */
    Sweep sweep(List<String> transports, List<Integer> counts) {
        List<Integer> sizes = Sizes.parse(size);
        List<Integer> threadCounts = Counts.parse("--threads", threads, 1, THREADS_MAX);
        if (verify && threadCounts.getLast() > Types.VERIFIED_THREADS_MAX) {
            throw new IllegalArgumentException("--threads " + threadCounts.getLast()
                    + ": with --verify, a node's messages distinguish " + Types.VERIFIED_THREADS_MAX + " threads");
        }
        List<Pattern> patterns = Arrays.stream(pattern.split(",", -1))
                .map(String::strip)
                .map(Pattern::parse)
                .distinct()
                .toList();
        List<Api> apis =
                Arrays.stream(api.split(",", -1)).map(Api::parse).distinct().toList();
        if (verify && apis.contains(Api.RECORDS)) {
            throw new IllegalArgumentException("--api records with --verify: only message classes are verified");
        }
        if (verify && apis.contains(Api.REUSABLE)) {
            throw new IllegalArgumentException("--api reusable with --verify: verified messages are new objects");
        }
        Sweep sweep = new Sweep(
                setups(transports, counts), patterns, threadCounts, sizes, apis, memoryOptions.batches(), plan());
        memoryOptions.check(sweep);
        if (pause > 0 && !sweep.patterns().stream().allMatch(Pattern::sendsRequests)) {
            throw new IllegalArgumentException(
                    "--pause " + pause + ": pauses are of the patterns rtt and rtt-all-to-all");
        }
        return sweep;
    }

    /** The numbers of nodes. */
    List<Integer> nodeCounts() {
        return Counts.parse("--nodes", nodes, 2, PROCESSES_MAX);
    }

    private List<Setup> setups(List<String> transports, List<Integer> counts) {
        List<Setup> setups = new ArrayList<>();
        for (String transport : transports) {
            for (int count : counts) {
                for (int handlerCount : Counts.parse("--handlers", handlers, 0, HANDLERS_MAX)) {
                    for (ParkingStrategy strategy : parkingStrategies()) {
                        setups.add(new Setup(transport, count, handlerCount, strategy));
                    }
                }
            }
        }
        return setups;
    }

    /** A list of one null where {@code --parking} is not set. */
    private List<ParkingStrategy> parkingStrategies() {
        if (parking == null) {
            return Collections.singletonList(null);
        }
        try {
            return Arrays.stream(parking.split(",", -1))
                    .map(name -> ParkingStrategy.valueOf(name.strip().toUpperCase(Locale.ROOT)))
                    .distinct()
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--parking " + parking + ": allowed are never, always and adaptive", e);
        }
    }

    private Plan plan() {
        Range.check("--runs", runs, 1, 1000);
        Range.check("--stall", stall, 1, 3600);
        Range.check("--pause", pause, 0, PAUSE_MICROS_MAX);
        Range.check("--wait", wait, 1, 86400);
        if (messages != null) {
            Range.check("--messages", messages, 1, Long.MAX_VALUE);
        }
        if (seconds != null) {
            Range.checkSeconds("--seconds", seconds, Range.SECONDS_MIN);
        }
        Range.checkSeconds("--warmup", warmup, 0);
        if (firstWarmup != null) {
            Range.checkSeconds("--first-warmup", firstWarmup, 0);
        }
        if (firstWarmup != null && warmup == 0) {
            throw new IllegalArgumentException("--first-warmup with --warmup 0: there is no warm-up to make longer");
        }
        double first = firstWarmup == null ? 2 * warmup : firstWarmup;
        double time = seconds != null ? seconds : messages != null ? 0 : SECONDS_DEFAULT;
        return new Plan(
                messages == null ? 0 : messages,
                time,
                warmup,
                first,
                runs,
                verify,
                Sizes.bytes(bytesMax),
                memoryOptions.chains(),
                pause,
                stall);
    }

    /** DXNet's configuration for a transport, which need not be resolved yet. */
    DXNetConfig configuration(String transport) {
        return nodeOptions.configuration(transport, null).build();
    }

    /** The configuration of a setup's nodes. */
    DXNetConfig configuration(Setup setup, String clusterName) {
        DXNetConfig.Builder builder = nodeOptions.configuration(setup.transport(), clusterName);
        if (setup.handlers() != 0) {
            builder.handlers(setup.handlers());
        }
        if (setup.parking() != null) {
            builder.parkingStrategy(setup.parking());
        }
        return builder.build();
    }

    /** Checks what needs more than one option. */
    void check(Sweep sweep, DXNetConfig configuration) {
        if (binding != null) {
            Binding.require(
                    binding,
                    sweep.setups().stream().map(Setup::transport).distinct().toList());
        }
        int largest = sweep.sizes().getLast();
        boolean sends = !sweep.patterns().stream().allMatch(Pattern::accessesMemory);
        if (sends && largest > configuration.maxMessageBytes()) {
            throw new IllegalArgumentException("size " + Sizes.format(largest) + " is above maxMessageBytes="
                    + Sizes.format(configuration.maxMessageBytes()) + ": add -D maxMessageBytes=...");
        }
        if ((node == null) != (nodeMap == null)) {
            throw new IllegalArgumentException("--node and --node-map belong together");
        }
    }

    /** Checks that what is to be read and written can be. */
    void checkFiles() {
        OptionFiles.requireReadable("--node-map", nodeMap);
        OptionFiles.requireWritable("--csv", csv);
        OptionFiles.requireWritable("--json", json);
        OptionFiles.requireWritableFolder("--plot", plot);
    }

    /** The arguments of a process that is one of the other nodes. */
    List<String> childArguments(int id, Setup setup, String clusterName) {
        List<String> arguments = new ArrayList<>(List.of("bench", "--child", "--node", Integer.toString(id)));
        arguments.addAll(nodeOptions.arguments(setup.transport(), clusterName));
        arguments.addAll(List.of("--handlers", Integer.toString(setup.handlers()), "--wait", Integer.toString(wait)));
        if (setup.parking() != null) {
            arguments.addAll(List.of("--parking", setup.parkingLabel()));
        }
        return arguments;
    }
}
