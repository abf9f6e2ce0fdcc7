package io.dxnet.tools.compare;

import io.dxnet.tools.cli.OptionFiles;
import io.dxnet.tools.cli.Range;
import io.dxnet.tools.compare.harness.Payload;
import io.dxnet.tools.compare.harness.Peer;
import io.dxnet.tools.compare.harness.PeerInfo;
import io.dxnet.tools.compare.peers.Peers;
import io.dxnet.tools.compare.peers.SecurityKeys;
import io.dxnet.tools.report.Progress;
import io.dxnet.tools.report.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./dxnet compare}. */
@Command(
        name = "./dxnet compare",
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Measures DXNet and what a Java user would choose instead, on this machine, in turn.",
        descriptionHeading = "%nWhat is measured:%n",
        description = {
            "One way: 1 and 4 threads of one process send to another process over loopback addresses (or shared memory, where the table "
                    + "shows it); the rate is what the receiver counts between two points of its own clock. Messages per CPU-second: the same messages over the "
                    + "processor time that all processes of the system used meanwhile.",
            "Round trips: one message at a time, there and back, percentiles at the sender.",
            "Each peer runs in the configuration that its documentation recommends; the report names it, and what the peer does not do that "
                    + "DXNet does. Floor and DXNet are measured before and after the peers."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExit code:%n",
        footer =
                "0 when all is well, 1 when a peer failed or a message was lost or damaged, 2 for wrong options. Skipped is not failed.")
final class CompareCommand implements Callable<Integer> {
    private static final double SECONDS = 0.9;
    private static final double QUICK_SECONDS = 0.45;
    private static final int THREADS_MAX = 64;
    /** So that every peer sends it as one message. */
    private static final int SIZE_MAX = 32 << 10;

    @Option(
            names = "--peers",
            paramLabel = "NAMES",
            split = ",",
            description = "these only, and DXNet over TCP and the floor; default: all")
    private List<String> peers = List.of();

    @Option(
            names = "--sizes",
            paramLabel = "SIZES",
            description = "payload in bytes: a list 16,64,1K or powers of two 16..4K; default 16,64,256,1K,4K")
    private String sizes;

    @Option(names = "--threads", paramLabel = "T", split = ",", description = "sending threads; default 1,4")
    private List<Integer> threads;

    @Option(names = "--seconds", paramLabel = "S", description = "of each measurement; default 0.9, with --quick 0.45")
    private Double seconds;

    @Option(
            names = "--security",
            description =
                    "DXNet over TCP plain, with a key and with mutual TLS, beside Netty plain and with mutual TLS, and connections per second; keys are made for this run; default sizes 64 and threads 1")
    private boolean security;

    @Option(
            names = "--memory",
            description =
                    "remote memory instead of messages: reads and writes of DXNet over TCP, over shared memory and on the software device, beside get and put of UCX (JUCX) over TCP and shared memory; one thread, one operation at a time, beside the same kind of DXNet")
    private boolean memory;

    @Option(names = "--quick", description = "sizes 64 and 1K only, and shorter: about 2.5 minutes instead of 8")
    private boolean quick;

    @Option(
            names = "--verify",
            description =
                    "check sequence and content of every payload; making and checking them costs time: don't compare the rates")
    private boolean verify;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "where comparison.md, .csv, .json, .png and .svg are written; default ${DEFAULT-VALUE}",
            defaultValue = "results/compare")
    private Path out;

    @Option(names = "--list", description = "list the peers and how each is configured, and measure nothing")
    private boolean list;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "this text")
    private boolean help;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        if ((security || memory) && !peers.isEmpty()) {
            throw new IllegalArgumentException(
                    (security ? "--security" : "--memory") + " has its own peers: leave out --peers");
        }
        if (security && memory) {
            throw new IllegalArgumentException("--security and --memory are comparisons of their own");
        }
        if (memory && threads != null) {
            throw new IllegalArgumentException("--memory measures one thread: leave out --threads");
        }
        try (SecurityKeys keys = security ? SecurityKeys.make() : SecurityKeys.NONE) {
            return compare(plan(security ? Peers.secured(keys) : memory ? Peers.memory() : chosen()));
        }
    }

    private int compare(Plan plan) throws IOException {
        if (list) {
            plan.peers().forEach(peer -> System.out.println(Markdown.describe(peer.info())));
            return 0;
        }
        OptionFiles.requireWritableFolder("--out", out);
        int turns = plan.turns().size();
        double estimate = turns * plan.turnSeconds();
        System.err.printf(
                "compare: %d systems, %d measurements, about %d min %02d s%n",
                plan.peers().size(), Comparison.rounds(plan), (int) estimate / 60, (int) estimate % 60);
        Report report;
        boolean terminal = Boolean.getBoolean("bench.terminal");
        try (Progress progress = Progress.create(terminal, Comparison.rounds(plan), System.err)) {
            report = new Report(plan, new Comparison(plan, progress).run(), commandLine());
        }
        return publish(report);
    }

    private int publish(Report report) throws IOException {
        Text.lines(report).forEach(System.out::println);
        System.out.flush();
        for (Path file : ReportFiles.write(report, out)) {
            System.err.println("compare: wrote " + file);
        }
        boolean failed = report.results().stream()
                .anyMatch(result -> result.faults().any() || !result.failures().isEmpty());
        return failed ? 1 : 0;
    }

    /** What is to be measured; checks the values. */
    private Plan plan(List<Peer> measured) {
        String standard = security ? "64" : quick ? "64,1K" : "16,64,256,1K,4K";
        List<Integer> ofPayloads = Sizes.parse(sizes != null ? sizes : standard);
        if (ofPayloads.getFirst() < Payload.BYTES_MIN || ofPayloads.getLast() > SIZE_MAX) {
            throw new IllegalArgumentException(
                    "--sizes are " + Payload.BYTES_MIN + " to " + Sizes.format(SIZE_MAX) + " bytes");
        }
        Set<Integer> ofThreads = new TreeSet<>(threads != null ? threads : security ? List.of(1) : List.of(1, 4));
        if (memory) {
            ofThreads.clear();
        }
        if (ofThreads.stream().anyMatch(each -> each < 1 || each > THREADS_MAX)) {
            throw new IllegalArgumentException("--threads are 1 to " + THREADS_MAX);
        }
        double time = seconds != null ? seconds : quick ? QUICK_SECONDS : SECONDS;
        Range.checkSeconds("--seconds", time, Range.SECONDS_MIN);
        return new Plan(measured, ofPayloads, List.copyOf(ofThreads), time, verify, subject());
    }

    private Plan.Subject subject() {
        if (memory) {
            return Plan.Subject.MEMORY;
        }
        return security ? Plan.Subject.SECURITY : Plan.Subject.MESSAGES;
    }

    private List<Peer> chosen() {
        peers.forEach(Peers::named); // throws for a wrong name
        List<Peer> all = Peers.all();
        Peer dxnet = all.stream()
                .filter(peer -> peer.info().role() == PeerInfo.Role.DXNET)
                .findFirst()
                .orElseThrow();
        return all.stream()
                .filter(peer -> peers.isEmpty()
                        || peer == dxnet
                        || peer.info().role() == PeerInfo.Role.FLOOR
                        || peers.contains(peer.info().name()))
                .toList();
    }

    private String commandLine() {
        List<String> words = new ArrayList<>(Arrays.asList("./dxnet", "compare"));
        words.addAll(spec.commandLine().getParseResult().originalArgs());
        return String.join(" ", words);
    }
}
