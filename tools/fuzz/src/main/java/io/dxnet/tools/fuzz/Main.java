package io.dxnet.tools.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs the fuzzer on the decoders of bytes from outside. */
@Command(
        name = "tools/fuzz/run",
        description = "Feeds every decoder of bytes from outside with made-up bytes, guided by coverage (Jazzer).",
        mixinStandardHelpOptions = true,
        sortOptions = false)
public final class Main implements Callable<Integer> {
    @Option(names = "--target", paramLabel = "NAME", description = "only this one; may be given more than once")
    private List<String> names = List.of();

    @Option(names = "--seconds", paramLabel = "N", description = "time for all targets together; default 60")
    private int seconds;

    @Option(names = "--inputs", paramLabel = "N", description = "inputs for all targets together, instead of a time")
    private long inputs;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "of the mutations, beginning with the seeds and the corpus alone; replays a run of --inputs")
    private Long seed;

    @Option(names = "--replay", paramLabel = "FILE", description = "runs one input on one target, without the fuzzer")
    private Path replay;

    @Option(names = "--list", description = "prints the targets")
    private boolean list;

    @Option(names = "--work", paramLabel = "DIR", description = "what the fuzzer found worth keeping", hidden = true)
    private Path work = Path.of("target", "fuzz");

    @Option(names = "--corpus", paramLabel = "DIR", description = "the committed inputs", hidden = true)
    private Path corpus = Path.of("corpus");

    private Main() {}

    /**
     * The command line.
     *
     * @param args see --help
     */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Main()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        List<FuzzTarget> targets;
        try {
            targets = names.isEmpty()
                    ? Targets.all()
                    : names.stream().map(Targets::named).toList();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        }
        if (list) {
            targets.forEach(target -> System.out.println(target.name()));
            return 0;
        }
        if (replay != null) {
            return replay(targets);
        }
        return fuzz(targets);
    }

    private int replay(List<FuzzTarget> targets) throws Exception {
        if (targets.size() != 1) {
            System.err.println("--replay needs --target NAME");
            return CommandLine.ExitCode.USAGE;
        }
        new Bounded(targets.getFirst()).run(Files.readAllBytes(replay));
        System.out.println("nothing found");
        return 0;
    }

    private int fuzz(List<FuzzTarget> targets) throws IOException, InterruptedException {
        List<Jazzer.Outcome> outcomes = new ArrayList<>();
        System.out.printf(
                "%-16s %14s %10s %10s %10s  %s%n", "target", "inputs", "inputs/s", "coverage", "corpus", "result");
        for (FuzzTarget target : targets) {
            Jazzer.Limit limit = inputs > 0
                    ? new Jazzer.Limit(0, Math.max(1, inputs / targets.size()))
                    : new Jazzer.Limit(Math.max(1, (seconds > 0 ? seconds : 60) / targets.size()), 0);
            Jazzer.Outcome outcome = new Jazzer(target, corpus, work).run(limit, seed);
            outcomes.add(outcome);
            System.out.printf(
                    "%-16s %14d %10d %10d %10d  %s%n",
                    target.name(),
                    outcome.inputs(),
                    outcome.inputsPerSecond(),
                    outcome.coverage(),
                    outcome.corpus(),
                    outcome.finding() == null ? "ok" : "FOUND " + outcome.finding());
        }
        long findings =
                outcomes.stream().filter(outcome -> outcome.finding() != null).count();
        System.out.printf(
                "fuzz: %d inputs, %d of %d targets with a finding%n",
                outcomes.stream().mapToLong(Jazzer.Outcome::inputs).sum(), findings, targets.size());
        return findings == 0 ? 0 : 1;
    }
}
