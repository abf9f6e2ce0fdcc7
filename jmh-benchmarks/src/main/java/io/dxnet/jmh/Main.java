package io.dxnet.jmh;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Unmatched;

/**
 * {@code ./dxnet jmh}: JMH with what this machine needs for the forks, the gate of the test
 * ladder, and tables for the documents.
 */
@Command(
        name = "jmh",
        sortOptions = false,
        customSynopsis =
                "./dxnet jmh [PATTERN ...] [--markdown FILE] [JMH options], or ./dxnet jmh --gate [--ratios] | --speed | --calls [--ratios]",
        description = {
            "Runs the benchmarks whose class or method matches a pattern: Verbs, Crossing, Exchange, Structure, or a part of one name.",
            "Everything not listed here is an option of JMH, for instance -f 1 -i 3, -prof gc, -p chain=1, -l (list), -h (all of them)."
        },
        footer = "DXNET_JAVA_OPTS adds options to the JVM of each fork.")
public final class Main implements Callable<Integer> {
    @Option(
            names = "--gate",
            description = "The gate of the test ladder, about four minutes: bytes allocated per operation, and speed"
                    + " beside floors and peers.")
    private boolean gate;

    @Option(
            names = "--speed",
            description = "The part of the gate that compares speed, alone; no other option counts then.")
    private boolean speed;

    @Option(
            names = "--calls",
            description = "The part of the gate that compares verbs calls through FFM, JNI and C, alone.")
    private boolean calls;

    @Option(
            names = "--ratios",
            description = "With --gate or --calls: fails as well where FFM costs more than it may beside JNI and C.")
    private boolean ratios;

    @Option(
            names = "--markdown",
            paramLabel = "FILE",
            description = "Writes the results as tables, with machine and command.")
    private Path markdown;

    @Option(names = "--help", usageHelp = true, description = "This text.")
    private boolean help;

    @Unmatched
    private final List<String> jmh = new ArrayList<>();

    private Main() {}

    /** Runs. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Main())
                .setUnmatchedOptionsArePositionalParams(true)
                .execute(arguments));
    }

    @Override
    public Integer call() throws IOException, RunnerException {
        Path folder = Files.createTempDirectory("dxnet-jmh");
        try {
            ForkOptions forks = ForkOptions.of(folder);
            if (speed) {
                return new SpeedGate(forks).run() ? 0 : 1;
            }
            if (calls) {
                return new Gate(forks, ratios).runCalls();
            }
            return gate ? new Gate(forks, ratios).run() : run(forks);
        } finally {
            NativeLibrary.delete(folder);
        }
    }

    private int run(ForkOptions forks) throws IOException, RunnerException {
        CommandLineOptions options;
        try {
            options = new CommandLineOptions(jmh.toArray(String[]::new));
        } catch (CommandLineOptionException e) {
            System.err.println("jmh: " + e.getMessage());
            return 2;
        }
        if (options.shouldHelp()
                || options.shouldList()
                || options.shouldListWithParams()
                || options.shouldListProfilers()
                || options.shouldListResultFormats()) {
            org.openjdk.jmh.Main.main(jmh.toArray(String[]::new));
            return 0;
        }
        forks.printSkipped(options.getIncludes());
        Collection<RunResult> results =
                new Runner(forks.add(new OptionsBuilder().parent(options)).build()).run();
        if (markdown != null) {
            Files.writeString(markdown, MarkdownTables.of(results, "./dxnet jmh " + String.join(" ", jmh)));
        }
        return results.isEmpty() ? 1 : 0;
    }
}
