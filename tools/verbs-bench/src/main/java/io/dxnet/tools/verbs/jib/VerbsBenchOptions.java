package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.Range;
import io.dxnet.tools.report.Sizes;
import io.dxnet.tools.verbs.DeviceInfo;
import io.dxnet.tools.verbs.DeviceOptions;
import io.dxnet.tools.verbs.Values;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code ./dxnet verbs-bench}. */
final class VerbsBenchOptions {
    private static final int SIZE_MAX = 64 << 20;
    private static final int RESERVE_SECONDS = 60;
    /**
     * Of the time of a case's runs: finding the number of
     * messages, the run with counters, waiting for each other.
     */
    private static final double OVERHEAD_RUNS = 1.2;

    private static final double RUN_SECONDS_MAX = 1;

    @Mixin
    DeviceOptions devices;

    @Option(
            names = "--processes",
            paramLabel = "1|2",
            description = "both ends in this process (two threads), or the other end in a process of its own; "
                    + "default ${DEFAULT-VALUE}",
            defaultValue = "1")
    int processes;

    @Option(
            names = "--server",
            paramLabel = "[HOST:]PORT",
            description = "two machines: be the other end, wait for a client there, serve it and end")
    String server;

    @Option(names = "--connect", paramLabel = "HOST:PORT", description = "two machines: the server to connect to")
    String connect;

    @Option(
            names = "--pattern",
            split = ",",
            paramLabel = "NAMES",
            description = "uni, bi, latency, pingpong; default all")
    List<String> patterns = new ArrayList<>();

    @Option(
            names = "--transfer",
            split = ",",
            paramLabel = "NAMES",
            description = "send, write, read, tcp; default all")
    List<String> transfers = new ArrayList<>();

    @Option(
            names = "--size",
            paramLabel = "SIZES",
            description = "payload in bytes: 64, a list 1,64,4K, or powers of two 1..1M; default ${DEFAULT-VALUE}",
            defaultValue = "1..1M")
    String size;

    @Option(
            names = "--count",
            paramLabel = "N",
            description = "messages of a run of each end that sends; default: as many as fit into its time",
            defaultValue = "0")
    long count;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "time of a run; default: --total divided by all runs, at most 1")
    Double seconds;

    @Option(
            names = "--total",
            paramLabel = "S",
            description = "time of all runs together, about; default ${DEFAULT-VALUE}",
            defaultValue = "45")
    double total;

    @Option(names = "--runs", paramLabel = "R", description = "runs of each case; default 3")
    Integer runs;

    @Option(names = "--quick", description = "few sizes and short runs: for a check, not for numbers")
    boolean quick;

    @Option(names = "--verify", description = "check every byte; costs time: don't compare the rates")
    boolean verify;

    @Option(
            names = "--depth",
            paramLabel = "N",
            description = "requests of the send queue; default ${DEFAULT-VALUE}",
            defaultValue = "128")
    int depth;

    @Option(
            names = "--receives",
            paramLabel = "N",
            description = "requests of the receive queue; default ${DEFAULT-VALUE}",
            defaultValue = "512")
    int receives;

    @Option(
            names = "--chain",
            paramLabel = "N",
            description = "requests posted with one call at most; default ${DEFAULT-VALUE}",
            defaultValue = "32")
    int chain;

    @Option(
            names = "--signal-every",
            paramLabel = "N",
            description =
                    "one request in so many asks for a completion (throughput, ping-pong); default ${DEFAULT-VALUE}",
            defaultValue = "32")
    int signalEvery;

    @Option(
            names = "--inline",
            paramLabel = "BYTES",
            description =
                    "latency and ping-pong: messages up to this size are posted inline, as in perftest; default ${DEFAULT-VALUE}",
            defaultValue = "236")
    int inline;

    @Option(
            names = "--perftest",
            paramLabel = "SIZES|none",
            description =
                    "sizes for which perftest's programs run too, on kernel devices; default 64,4K,64K of the sizes")
    String perftest;

    @Option(
            names = "--stall",
            paramLabel = "S",
            description = "a run in which nothing moves for this long has failed; default ${DEFAULT-VALUE}",
            defaultValue = "15")
    int stall;

    @Option(
            names = "--wait",
            paramLabel = "S",
            description = "how long the two ends wait for each other at the start; default ${DEFAULT-VALUE}",
            defaultValue = "120")
    int wait;

    @Option(names = "--child", hidden = true, description = "started by the benchmark itself")
    boolean child;

    /** Checks what one option alone does not show. */
    void check() {
        Values.range("--depth", depth, 16, 8192);
        Values.range("--receives", receives, 16, 8192);
        Values.range("--chain", chain, 1, 1024);
        Values.range("--signal-every", signalEvery, 1, 1024);
        Values.range("--inline", inline, 0, 1024);
        Values.range("--stall", stall, 1, 3600);
        Values.range("--wait", wait, 1, 3600);
        Values.range("--runs", runs(), 1, 1000);
        if (seconds != null) {
            Range.checkSeconds("--seconds", seconds, Range.SECONDS_MIN);
        }
        if (count < 0 || total <= 0) {
            throw new IllegalArgumentException("--count can't be negative, and --total must be above 0");
        }
        if (server != null && connect != null) {
            throw new IllegalArgumentException("--server and --connect are two different ends");
        }
        Values.range("--processes", processes, 1, 2);
        if ((processes == 2 || server != null || connect != null)
                && devices.port().device().startsWith("soft")) {
            throw new IllegalArgumentException(
                    devices.port().device() + " lives inside one JVM: both ends must be in one process");
        }
        cases();
    }

    boolean inOneProcess() {
        return processes == 1;
    }

    private int runs() {
        return runs != null ? runs : quick ? 1 : 3;
    }

    private List<Integer> sizes() {
        List<Integer> sizes = Sizes.parse(quick && size.equals("1..1M") ? "1,64,4K,1M" : size);
        Values.range("--size", sizes.getLast(), 1, SIZE_MAX);
        return sizes;
    }

    /** All cases, in the order of the report; what can't be measured is left out. */
    List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Pattern pattern : patterns()) {
            for (Transfer transfer : transfers()) {
                if (transfer.whyNot(pattern) == null) {
                    sizes().forEach(each -> cases.add(new Case(pattern, transfer, each)));
                }
            }
        }
        if (cases.isEmpty()) {
            throw new IllegalArgumentException(Transfer.READ.whyNot(Pattern.PING_PONG));
        }
        return cases;
    }

    /** Why combinations that were asked for are not measured. */
    List<String> missing() {
        List<String> notes = new ArrayList<>();
        for (Pattern pattern : patterns()) {
            for (Transfer transfer : transfers()) {
                if (transfer.whyNot(pattern) != null) {
                    notes.add(transfer.whyNot(pattern));
                }
            }
        }
        return notes;
    }

    private List<Pattern> patterns() {
        return Values.chosen(Pattern.values(), List.of(Pattern.values()), patterns, "--pattern");
    }

    private List<Transfer> transfers() {
        return Values.chosen(Transfer.values(), List.of(Transfer.values()), transfers, "--transfer");
    }

    LinkOptions link() {
        int patience = stall + RESERVE_SECONDS + (int) Math.min(86_400, 20 * runSeconds());
        return new LinkOptions(
                Integer.highestOneBit(depth),
                Integer.highestOneBit(receives),
                chain,
                signalEvery,
                inline,
                sizes().getLast(),
                stall,
                patience);
    }

    Duration patience() {
        return Duration.ofSeconds(stall + RESERVE_SECONDS);
    }

    Suite.Plan plan() {
        return new Suite.Plan(runs(), (long) (runSeconds() * 1e9), count, verify);
    }

    private double runSeconds() {
        if (seconds != null) {
            return seconds;
        }
        double all = quick ? Math.min(total, 5) : total;
        return Math.min(RUN_SECONDS_MAX, all / (cases().size() * (runs() + OVERHEAD_RUNS)));
    }

    /** The cases that perftest is run for. */
    List<Case> referenceCases() {
        if ("none".equals(perftest) || !DeviceInfo.isReal(devices.port().device())) {
            return List.of();
        }
        List<Integer> chosen = Sizes.parse(perftest != null ? perftest : quick ? "64" : "64,4K,64K");
        return cases().stream()
                .filter(each -> chosen.contains(each.size()) && PerftestProgram.of(each) != null)
                .toList();
    }
}
