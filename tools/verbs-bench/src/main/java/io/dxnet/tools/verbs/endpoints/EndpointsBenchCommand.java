package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.Context;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.DeviceInfo;
import io.dxnet.tools.verbs.Port;
import io.dxnet.tools.verbs.ReportOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./dxnet endpoints-bench}. */
@Command(
        name = "endpoints-bench",
        sortOptions = false,
        usageHelpAutoWidth = true,
        header = "Measures scalable endpoints: six ways of sharing contexts, queues and queue pairs between threads.",
        descriptionHeading = "%nWhat is measured:%n",
        description = {
            "rate: each thread writes small messages by RDMA into memory of its own at the other device, with chains (postlist), inline data and "
                    + "unsignaled requests switched on one by one. The time is from the common start to the last completion.",
            "array: a matrix product; tiles are got by RDMA read from the other device, multiplied, put by RDMA write.",
            "stencil: a 5-point stencil; bands of a grid on two nodes, whose neighbours exchange rows by RDMA write with immediate data, for "
                    + "one thread in each process, all in one process, and between. Processes are sets of endpoints of this one.",
            "Both kernels post one request at a time, each with a completion, as in the paper, and their results are always checked.",
            "Where the device has no thread domains (Soft-RoCE), Dynamic differs from Static in nothing, and the output reports this."
        },
        optionListHeading = "%nOptions:%n",
        footerHeading = "%nExit code:%n",
        footer = {"0 when all is well, 1 when a result was wrong or a thread failed, 2 for wrong options."})
public final class EndpointsBenchCommand implements Callable<Integer> {
    private static final int ROWS_PER_RANK = 8;
    private static final int COLUMNS_PER_THREAD = 32;
    /**
     * Of each feature set, with an own and with a shared queue
     * pair: the first results shall not be the compiler's.
     */
    private static final long WARM_UP_NS = 700_000_000;

    @Mixin
    private EndpointsOptions options;

    @Mixin
    private ReportOptions output;

    @Spec
    private CommandSpec spec;

    /** Made by picocli. */
    public EndpointsBenchCommand() {}

    @Override
    public Integer call() throws IOException {
        options.check();
        output.check();
        EndpointsReport report = new EndpointsReport(ReportOptions.environment(spec), options.verify);
        describe(report);
        RuntimeException failure = null;
        try {
            for (EndpointsOptions.Part part : options.parts()) {
                switch (part) {
                    case RATE -> rates(report);
                    case ARRAY -> arrays(report);
                    case STENCIL -> stencils(report);
                }
            }
        } catch (ToolException e) {
            failure = e;
        }
        if (!report.isEmpty()) {
            EndpointsTable.lines(report).forEach(System.out::println);
            output.write(report.environment(), report.toList(), report.notes(), new EndpointsPlots(report)::draw);
        }
        if (failure != null) {
            throw failure;
        }
        return report.wrong() == 0 ? 0 : 1;
    }

    private void describe(EndpointsReport report) {
        Map<String, Object> environment = report.environment();
        for (Port port : List.of(options.devices.port(), options.devices.peerPort())) {
            try (Context context = port.open()) {
                Map<String, Object> info = DeviceInfo.of(context, port.gid(context));
                if (!environment.containsKey("device")) {
                    environment.put("device", info);
                } else {
                    environment.put("peer", DeviceInfo.line(info));
                }
            }
        }
        MessageRate.Settings rate = options.rate();
        environment.put("messageBytes", rate.size());
        environment.put("depth", rate.depth());
        environment.put("postlist", rate.postlist());
        environment.put("unsignaled", rate.unsignaled());
        environment.put("ends", "one process: both devices are driven from it");
    }

    private void rates(EndpointsReport report) {
        long seed = 1;
        warmUp();
        for (Category category : options.categories()) {
            say("message rate, " + category);
            for (int threads : options.threads()) {
                try (MessageRate rate = new MessageRate(
                        options.rate(), category, threads, options.devices.port(), options.devices.peerPort())) {
                    noteThreadDomains(report, rate.threadDomainsMissing());
                    for (FeatureSet features : options.features()) {
                        List<MessageRate.Outcome> runs = new ArrayList<>();
                        for (int run = 0; run < options.runs; run++) {
                            runs.add(rate.run(features, options.runNs(), seed++, options.verify));
                        }
                        report.add(new RateResult(category, threads, features, runs, rate.resources()));
                    }
                }
            }
        }
    }

    /** The first category shall not pay for the compiler. */
    private void warmUp() {
        say("warm-up");
        for (Category category : List.of(Category.STATIC, Category.MPI_THREADS)) {
            try (MessageRate rate =
                    new MessageRate(options.rate(), category, 2, options.devices.port(), options.devices.peerPort())) {
                for (FeatureSet features : options.features()) {
                    rate.run(features, WARM_UP_NS, 0, false);
                }
            }
        }
    }

    private void arrays(EndpointsReport report) {
        boolean warm = false;
        for (Category category : options.categories()) {
            say("global array, " + category);
            try (GlobalArray array = new GlobalArray(
                    options.tiles(),
                    options.stall,
                    category,
                    options.kernelThreads(),
                    options.devices.port(),
                    options.devices.peerPort())) {
                if (!warm) {
                    array.run();
                    warm = true;
                }
                report.add(array.run());
            }
        }
    }

    private void stencils(EndpointsReport report) {
        boolean warm = false;
        for (int ranks : options.ranksPerNode()) {
            int threads = options.kernelThreads() / ranks;
            Stencil.Settings settings = new Stencil.Settings(
                    ranks,
                    threads,
                    ROWS_PER_RANK,
                    COLUMNS_PER_THREAD * options.kernelThreads(),
                    options.steps(),
                    options.stall);
            say("stencil, " + ranks + "." + threads);
            for (Category category : options.categories()) {
                if (!warm) {
                    stencil(settings, category, report);
                    warm = true;
                }
                report.add(stencil(settings, category, report));
            }
        }
    }

    private KernelResult stencil(Stencil.Settings settings, Category category, EndpointsReport report) {
        try (Stencil stencil = new Stencil(settings, category, options.devices.port(), options.devices.peerPort())) {
            noteThreadDomains(report, stencil.threadDomainsMissing());
            return stencil.run();
        }
    }

    private void noteThreadDomains(EndpointsReport report, boolean missing) {
        if (missing) {
            report.note(options.devices.port().device()
                    + " has no thread domains (ibv_alloc_td: EOPNOTSUPP): 2xDynamic, Dynamic and Shared Dynamic "
                    + "are made without them and differ from Static in the number of queue pairs alone");
        }
    }

    private static void say(String line) {
        System.err.println("endpoints-bench: " + line);
    }
}
