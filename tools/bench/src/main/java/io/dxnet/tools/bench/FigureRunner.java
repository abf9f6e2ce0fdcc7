package io.dxnet.tools.bench;

import static io.dxnet.tools.bench.SweepRunner.say;

import io.dxnet.tools.cli.OptionFiles;
import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/**
 * Measures and draws figures, one after the other. A figure whose measurement fails is drawn from
 * the points measured until then, and the failure is reported at the end.
 */
final class FigureRunner {
    private final FigureOptions figures;
    private final List<String> typed;
    private final String commandLine;
    private final List<Job> jobs = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();

    /** A figure, its options and what is to be measured for it. */
    private record Job(Figure figure, List<String> arguments, SweepRunner runner, Sweep sweep) {}

    FigureRunner(FigureOptions figures, List<String> typed, String commandLine) {
        OptionFiles.requireWritableFolder("--figures", figures.directory());
        this.figures = figures;
        this.typed = typed;
        this.commandLine = commandLine;
        for (Figure figure : figures.figures()) {
            jobs.add(job(figure));
        }
    }

    private Job job(Figure figure) {
        List<String> arguments = figure.arguments(figures.quick(), typed);
        BenchOptions options = new BenchOptions();
        new CommandLine(options).setOverwrittenOptionsAllowed(true).parseArgs(arguments.toArray(String[]::new));
        if (options.node != null) {
            throw new IllegalArgumentException("figures start their nodes on this machine: without --node");
        }
        if (options.csv != null || options.json != null || options.plot != null) {
            throw new IllegalArgumentException("figures write their own files: without --csv, --json and --plot");
        }
        SweepRunner runner = new SweepRunner(options);
        return new Job(figure, arguments, runner, runner.sweep());
    }

    /** Runs all; returns the exit code. */
    int run() throws IOException {
        Path directory = figures.directory();
        double left =
                jobs.stream().mapToDouble(job -> Estimate.seconds(job.sweep())).sum();
        say(jobs.size() + (jobs.size() == 1 ? " figure, " : " figures, ")
                + jobs.stream().mapToInt(job -> job.sweep().points()).sum() + " points, about " + Estimate.text(left)
                + ", into " + directory);
        double estimated = 0;
        long begin = System.nanoTime();
        for (Job job : jobs) {
            double estimate = Estimate.seconds(job.sweep());
            double slower = estimated == 0 ? 1 : (System.nanoTime() - begin) / 1e9 / estimated;
            say(String.format(
                    "figure %s (%d of %d): %s, %d points, about %s; all: about %s left",
                    job.figure().name(),
                    jobs.indexOf(job) + 1,
                    jobs.size(),
                    job.figure().description(),
                    job.sweep().points(),
                    Estimate.text(estimate * slower),
                    Estimate.text(left * slower)));
            run(job, directory);
            estimated += estimate;
            left -= estimate;
        }
        say("took " + Estimate.text((System.nanoTime() - begin) / 1e9));
        failures.forEach(failure -> say("FAILED: " + failure));
        return failures.isEmpty() ? 0 : 1;
    }

    private void run(Job job, Path directory) throws IOException {
        Report report = new Report(job.sweep(), commandLine);
        try {
            job.runner().run(report);
        } catch (ToolException e) {
            failures.add(job.figure().name() + ": " + e.getMessage());
            say("figure " + job.figure().name() + " is not complete: " + e.getMessage());
        }
        if (report.faults().any()) {
            failures.add(job.figure().name() + ": " + report.faults());
        }
        Table.print(report, System.out);
        System.out.println();
        job.figure()
                .write(report, directory, "./dxnet bench " + String.join(" ", job.arguments()))
                .forEach(file -> say("wrote " + file));
    }
}
