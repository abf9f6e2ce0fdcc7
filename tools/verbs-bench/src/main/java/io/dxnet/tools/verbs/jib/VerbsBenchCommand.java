package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.ReportOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./dxnet verbs-bench}. */
@Command(
        name = "verbs-bench",
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Measures verbs from Java: the JIB suite (throughput, latency, ping-pong, overhead) on ibverbs-ffm.",
        descriptionHeading = "%nWhat is measured:%n",
        description = {
            "uni, bi: the send queue is kept filled; as soon as completions came, the next requests are posted as one chain. The time is from the "
                    + "first post to the last completion, which on a reliable connection means delivery. bi counts both directions.",
            "latency: one operation at a time, from posting it to its completion; over TCP, until the kernel has accepted the message, as in the paper.",
            "pingpong: a message and its answer, full round trip. RDMA writes are noticed by polling their last byte, as perftest does.",
            "overhead: what the port's counters (or those of the network interface below Soft-RoCE) counted beside the payload, ping-pong.",
            "C reference: perftest's programs between the same devices in the same run; their half round trips are doubled.",
            "Each end is one thread that posts and polls, whatever the pattern. The number of messages of a run is found by trying, "
                    + "which warms up both ends. Values are averages over the runs; min and max are in the files."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExit code:%n",
        footer = {"0 when all is well, 1 when a message was corrupt or an end failed, 2 for wrong options."})
public final class VerbsBenchCommand implements Callable<Integer> {
    /** All perftest programs together. */
    private static final long REFERENCES_NS = 120_000_000_000L;

    @Mixin
    private VerbsBenchOptions options;

    @Mixin
    private ReportOptions output;

    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    public VerbsBenchCommand() {}

    @Override
    public Integer call() throws IOException {
        options.check();
        output.check();
        if (options.server != null) {
            return serve();
        }
        if (options.connect != null) {
            return measure(address(options.connect), null);
        }
        EndOptions peer = new EndOptions(options.devices.peerPort(), 2);
        Duration wait = Duration.ofSeconds(options.wait);
        try (LocalServer server = options.inOneProcess()
                ? LocalServer.inThisProcess(peer, wait, options.patience())
                : LocalServer.inItsOwnProcess(peer, wait)) {
            return measure(server.address(), server);
        }
    }

    private int serve() throws IOException {
        InetSocketAddress address = address(options.server);
        if (options.child) {
            Thread.ofPlatform().daemon().name("verbs-bench-parent").start(VerbsBenchCommand::endWithParent);
        }
        EndOptions end = new EndOptions(options.devices.port(), options.child ? 2 : 1);
        try (ServerSocket listening = new ServerSocket(address.getPort(), 1, address.getAddress())) {
            System.err.println("verbs-bench: " + options.devices.port().device() + " waits for a client at " + address);
            try (Control control = Control.accept(listening, Duration.ofSeconds(options.wait), options.patience())) {
                new Server(control, end).run();
            }
        }
        return 0;
    }

    /** The benchmark holds the other end of standard input as long as it lives. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                continue; // the parent sends nothing: only the end matters
            }
        } catch (IOException e) {
            System.err.println("verbs-bench: " + e.getMessage());
        }
        Runtime.getRuntime().halt(0);
    }

    /** {@code HOST:PORT} or {@code PORT}. */
    private static InetSocketAddress address(String text) throws IOException {
        int colon = text.lastIndexOf(':');
        try {
            int port = Integer.parseInt(text.substring(colon + 1));
            InetAddress host = colon <= 0
                    ? InetAddress.getByAddress(new byte[4])
                    : InetAddress.getByName(text.substring(0, colon));
            return new InetSocketAddress(host, port);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not HOST:PORT", e);
        }
    }

    private int measure(InetSocketAddress address, LocalServer server) throws IOException {
        VerbsReport report = new VerbsReport(ReportOptions.environment(spec), options.verify);
        EndOptions end = new EndOptions(options.devices.port(), server == null ? 1 : 2);
        ToolException failure = null;
        try (Control control = Control.connect(address, Duration.ofSeconds(options.wait), options.patience());
                Session session = Session.client(control, end, options.link())) {
            describe(report.environment(), session, server);
            run(control, session, end, report);
            control.send(Control.Command.CLOSE);
            control.flush();
        } catch (ToolException e) {
            failure = e;
        }
        if (!report.isEmpty()) {
            VerbsTable.lines(report).forEach(System.out::println);
            output.write(report.environment(), report.toList(), report.notes(), new VerbsPlots(report)::draw);
        }
        if (failure != null) {
            Throwable cause = server == null ? null : server.failure();
            throw cause == null
                    ? failure
                    : new ToolException(failure.getMessage() + "; the other end: " + cause, cause);
        }
        return report.corrupt() == 0 ? 0 : 1;
    }

    private void describe(Map<String, Object> environment, Session session, LocalServer server) {
        environment.put("device", session.describe());
        environment.put("peer", session.peerInfo());
        environment.put(
                "ends",
                server == null
                        ? "two machines"
                        : options.inOneProcess() ? "one process, two threads" : "two processes of one machine");
        environment.put("verified", options.verify);
    }

    private void run(Control control, Session session, EndOptions end, VerbsReport report) {
        Suite suite = new Suite(control, session, end, options.plan());
        List<Case> cases = options.cases();
        Case last = null;
        for (Case point : cases) {
            if (last == null || point.pattern() != last.pattern()) {
                System.err.println("verbs-bench: " + point.pattern().title());
            }
            if (last == null || point.pattern() != last.pattern() || point.transfer() != last.transfer()) {
                suite.warmUp(point);
            }
            last = point;
            report.add(suite.measure(point));
        }
        options.missing().forEach(report::note);
        if (PortCounters.read(end.port()).wireBytes() == null) {
            report.note(end.port().device() + " has no port counters: its protocol overhead is not known");
        }
        references(control, session, end, report);
    }

    private void references(Control control, Session session, EndOptions end, VerbsReport report) {
        boolean oneProcessor = end.pollingThreads() > Runtime.getRuntime().availableProcessors();
        Perftest perftest = new Perftest(control, end, session.gidIndex(), oneProcessor);
        if (oneProcessor && !options.referenceCases().isEmpty()) {
            report.note(
                    "one processor for both ends: perftest runs with -e (asleep until completions), ours yields between polls");
        }
        long deadline = System.nanoTime() + REFERENCES_NS;
        for (Case point : options.referenceCases()) {
            if (System.nanoTime() > deadline) {
                report.note("C references have used their " + REFERENCES_NS / 1_000_000_000 + " s: none for " + point
                        + " and what follows");
                return;
            }
            String whyNot = perftest.whyNot(PerftestProgram.of(point));
            if (whyNot != null) {
                report.note(whyNot);
                continue;
            }
            System.err.println("verbs-bench: " + PerftestProgram.of(point).program() + " for " + point);
            try {
                long iterations = report.result(point).runs().getFirst().messages();
                report.add(point, perftest.measure(point, iterations));
            } catch (ToolException e) {
                report.note("no C reference for " + point + ": " + e.getMessage());
            }
        }
    }
}
