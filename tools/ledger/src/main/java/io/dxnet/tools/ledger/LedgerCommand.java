package io.dxnet.tools.ledger;

import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.ledger.book.Findings;
import io.dxnet.tools.ledger.book.Tally;
import io.dxnet.tools.ledger.node.NodeSpec;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rounds of random traffic and random events, each followed by a check of the books. */
@Command(
        name = "ledger",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Sends random messages between nodes to which random things happen, and accounts for each message:",
            "handled once, or reported to its sender. Exits with 1 where the books do not add up.",
            "Others: ./dxnet ledger cycles --help, ./dxnet ledger silent --help, ./dxnet ledger virtual --help"
        })
final class LedgerCommand implements Callable<Integer> {
    private static final int WARM_UP = -1;

    private static final int FAULT_MS_MAX = 500;

    /** Longer than a connection repeats what is not answered: some faults end connections. */
    private static final int WIRE_FAULT_MS_MAX = 6_000;

    @Mixin
    private LedgerOptions options;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            description = "time of traffic, 1 to 86400; default ${DEFAULT-VALUE}",
            defaultValue = "60")
    private int seconds;

    @Option(
            names = "--round",
            paramLabel = "N",
            description = "after so many seconds all nodes are closed, the books are checked and new ones begun; "
                    + "default ${DEFAULT-VALUE}",
            defaultValue = "60")
    private int roundSeconds;

    @Option(
            names = "--events",
            paramLabel = "WHICH",
            description = "${COMPLETION-CANDIDATES}; default ${DEFAULT-VALUE}",
            defaultValue = "ALL")
    private EventMode events;

    @Option(
            names = "--step",
            paramLabel = "MS",
            description =
                    "the longest time between two random choices, 1 to 60000 ms, of which about 6 of 10 choose an event; "
                            + "default ${DEFAULT-VALUE}",
            defaultValue = "40")
    private int stepMs;

    @Option(
            names = "--link-faults",
            paramLabel = "PROGRAM",
            split = " ",
            description =
                    "makes the nodes' links bad, as tools/rxe-testbed/fault does: link i is that of address i of --hosts")
    private List<String> faultProgram;

    @Option(
            names = "--loss",
            paramLabel = "PERCENT",
            description =
                    "with --link-faults: each link loses so many of the packets that leave its node, all the time; "
                            + "default ${DEFAULT-VALUE}",
            defaultValue = "0")
    private int loss;

    @Option(names = "--seed", paramLabel = "N", description = "of traffic and events; default: the time")
    private Long seed;

    @Option(
            names = "--books",
            paramLabel = "DIR",
            description = "keeps the books there; default: a temporary directory, deleted unless they do not add up")
    private Path directory;

    @Option(
            names = "--in-process",
            description = "all nodes in this process, also where the transport connects processes")
    private boolean inProcess;

    @Override
    public Integer call() throws Exception {
        check();
        long firstSeed = seed != null ? seed : System.currentTimeMillis();
        boolean temporary = directory == null;
        Path books = temporary ? Files.createTempDirectory("dxnet-ledger-") : Files.createDirectories(directory);
        Summary summary = new Summary();
        inProcess = inProcess || options.isInOneProcess();
        if (inProcess) {
            warmUp(firstSeed, LedgerOptions.round(books, WARM_UP), summary);
        }
        Levels before = Levels.now(); // processes of nodes check their own
        int left = seconds;
        for (int round = 0; left > 0; round++) {
            int length = Math.min(left, roundSeconds);
            left -= length;
            runRound(firstSeed + round, length, LedgerOptions.round(books, round), temporary, summary);
        }
        if (inProcess) {
            summary.levels(before, Levels.now());
        }
        summary.print(System.out, options, seconds, events, firstSeed);
        if (temporary && summary.isClean()) {
            delete(books);
        }
        return summary.isClean() ? 0 : 1;
    }

    private void check() {
        options.check();
        if (stepMs < 1 || stepMs > 60_000) {
            throw new IllegalArgumentException("--step " + stepMs + " is not in 1..60000");
        }
        if (loss < 0 || loss > 50 || loss > 0 && faultProgram == null) {
            throw new IllegalArgumentException("--loss " + loss + " is not in 0..50, or there is no --link-faults");
        }
        if (events == EventMode.LINKS && !hasLinkFaults()) {
            throw new IllegalArgumentException("--events links needs a software device or --link-faults");
        }
        if (seconds < 1 || seconds > 86_400 || roundSeconds < 1 || roundSeconds > 3_600) {
            throw new IllegalArgumentException("--seconds is not in 1..86400, or --round not in 1..3600");
        }
    }

    private Host start(NodeSpec spec, List<String> addresses) {
        return inProcess
                ? new LocalHost(
                        spec,
                        Transports.onOwnDevice(options.config(events, spec.seed(), spec.run()), spec.node()),
                        addresses)
                : new ProcessHost(spec, options, events, addresses);
    }

    /** What JVM and device keep for ever is there before the first measurement. */
    private void warmUp(long ofSeed, Path books, Summary to) throws Exception {
        Files.createDirectories(books);
        Round round = new Round(this::start, options, ofSeed, books);
        TimeUnit.SECONDS.sleep(1);
        round.end();
        Findings findings = new Findings();
        Tally tally = round.check(false, findings);
        if (findings.count() > 0) {
            to.add(ofSeed, tally, findings, Map.of());
            Summary.print(findings, System.err);
        } else {
            delete(books);
        }
    }

    private void runRound(long ofSeed, int length, Path books, boolean temporary, Summary to) throws Exception {
        Files.createDirectories(books);
        Findings findings = new Findings();
        Map<EventKind, Long> counts;
        Tally tally;
        Watchdog watchdog = new Watchdog(Duration.ofSeconds(length).plus(options.startLimit()));
        try {
            Round round = new Round(this::start, options, ofSeed, books);
            counts = happen(round, ofSeed, length);
            tally = round.check(events.isHealthy(), findings);
        } finally {
            watchdog.stop();
        }
        to.add(ofSeed, tally, findings, counts);
        System.err.printf("seed %d: %,d messages sent, %,d violations%n", ofSeed, tally.sent(), findings.count());
        if (findings.count() > 0) {
            Summary.print(findings, System.err);
            System.err.println("  the books: " + books);
        } else if (temporary) {
            delete(books);
        }
    }

    /** Traffic and events, and the end of all nodes. */
    private Map<EventKind, Long> happen(Round round, long ofSeed, int length) throws Exception {
        try (LinkFaults link = links(round, ofSeed)) {
            Events happening = new Events(round, options.nodes(), ofSeed, kinds(), link, stepMs);
            happening.run(System.nanoTime() + TimeUnit.SECONDS.toNanos(length));
            round.end();
            return happening.counts();
        }
    }

    private boolean hasLinkFaults() {
        return options.isSoftDevice() || faultProgram != null;
    }

    /** Null where there is nothing that makes faults. */
    private LinkFaults links(Round round, long ofSeed) throws IOException {
        if (faultProgram != null) {
            return new TestbedLinkFaults(faultProgram, options.hosts().size(), loss, new Random(ofSeed));
        }
        if (!options.isSoftDevice()) {
            return null;
        }
        int forMsMax = options.isInOneProcess() ? FAULT_MS_MAX : WIRE_FAULT_MS_MAX;
        return new NodeLinkFaults(round, options.nodes(), forMsMax, new Random(ofSeed));
    }

    private Set<EventKind> kinds() {
        return switch (events) {
            case NONE -> EnumSet.noneOf(EventKind.class);
            case ORDERLY -> EnumSet.of(EventKind.DISCONNECT);
            case LINKS -> EnumSet.of(EventKind.DISCONNECT, EventKind.LINK_FAULT);
            case ALL -> {
                EnumSet<EventKind> all = EnumSet.allOf(EventKind.class);
                if (inProcess) {
                    all.removeAll(EnumSet.of(EventKind.KILL, EventKind.STOP));
                }
                if (options.isLoopback()) {
                    all.removeAll(EnumSet.of(EventKind.GARBAGE, EventKind.HALF_OPEN));
                }
                if (!hasLinkFaults()) {
                    all.remove(EventKind.LINK_FAULT);
                }
                yield all;
            }
        };
    }

    private static void delete(Path directory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
