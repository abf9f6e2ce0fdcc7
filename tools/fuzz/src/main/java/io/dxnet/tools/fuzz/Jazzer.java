package io.dxnet.tools.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jazzer on one target, in a process of its own. */
final class Jazzer {
    /** When to end; what is 0 is no limit. */
    record Limit(int seconds, long inputs) {}

    /**
     * What came of it.
     *
     * @param corpus inputs that reach something new, and are kept
     * @param finding in one line, with the file that replays it; null when there is none
     */
    record Outcome(long inputs, long inputsPerSecond, long coverage, long corpus, String finding) {}

    /** For one input; that is an endless loop. */
    private static final int INPUT_SECONDS_MAX = 20;

    /** Jazzer's own checks of what no decoder here calls; they cost time and allocate. */
    private static final String HOOKS_NOT_NEEDED = Stream.of(
                    "BigDecimal",
                    "ClojureLangHooks",
                    "Deserialization",
                    "ExpressionLanguageInjection",
                    "FilePathTraversal",
                    "LdapInjection",
                    "NamingContextLookup",
                    "OsCommandInjection",
                    "ReflectiveCall",
                    "RegexInjection",
                    "RegexRoadblocks",
                    "ScriptEngineInjection",
                    "ServerSideRequestForgery",
                    "SqlInjection",
                    "TemplateInjection",
                    "UnsafeSanitizer",
                    "XPathInjection",
                    "XmlParserSsrfGuidance")
            .map(name -> "com.code_intelligence.jazzer.sanitizers." + name)
            .collect(Collectors.joining(":"));

    private static final Pattern PROGRESS =
            Pattern.compile("#(\\d+)\\s+\\w+\\s+cov: (\\d+) ft: \\d+ corp: (\\d+)/.*exec/s: (\\d+).*");
    private static final Pattern DONE = Pattern.compile("Done (\\d+) runs in (\\d+) second.*");
    private static final Pattern ARTIFACT = Pattern.compile(".*Test unit written to (\\S+)");
    private static final Pattern FINDING = Pattern.compile("== Java Exception: (.*)|==\\d+== ERROR: (.*)");

    private final FuzzTarget target;
    private final Path committed;
    private final Path folder;

    /**
     * Prepares the fuzzing of one target.
     *
     * @param corpus the committed inputs, with a folder for each target
     * @param work the folder for what the fuzzer keeps, for its log and its findings
     */
    Jazzer(FuzzTarget target, Path corpus, Path work) {
        this.target = target;
        this.committed = corpus.resolve(target.name());
        this.folder = work.resolve(target.name());
    }

    /**
     * Runs it to the end.
     *
     * @param seed null: another one each time, beginning with what the last run kept
     */
    Outcome run(Limit limit, Long seed) throws IOException, InterruptedException {
        Path kept = folder.resolve(seed == null ? "kept" : "kept-of-seed");
        if (seed != null) {
            deleteAll(kept);
        }
        Path seeds = folder.resolve("seeds");
        deleteAll(seeds);
        Files.createDirectories(kept);
        Files.createDirectories(seeds);
        int number = 0;
        for (byte[] each : target.seeds()) {
            Files.write(seeds.resolve("seed-%04d".formatted(number++)), each);
        }
        Path log = folder.resolve("log");
        Process process = new ProcessBuilder(command(limit, seed, kept, seeds))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        int code;
        try {
            code = process.waitFor();
        } finally {
            process.destroy();
        }
        return outcome(code, log);
    }

    private List<String> command(Limit limit, Long seed, Path kept, Path seeds) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx768m",
                "-Xss8m", // the instrumented code's frames are larger
                "-XX:+UseSerialGC",
                "-XX:+EnableDynamicAgentLoading",
                "--enable-native-access=ALL-UNNAMED",
                "-Dfuzz.target=" + target.name(),
                "-cp",
                System.getProperty("java.class.path"),
                "com.code_intelligence.jazzer.Jazzer",
                "--target_class=" + Entry.class.getName(),
                "--instrumentation_includes=io.dxnet.**",
                "--custom_hook_includes=io.dxnet.**",
                "--disabled_hooks=" + HOOKS_NOT_NEEDED,
                "--reproducer_path=" + folder,
                "-artifact_prefix=" + folder.toAbsolutePath() + "/",
                "-print_final_stats=1",
                "-max_len=" + target.inputBytesMax(),
                "-timeout=" + INPUT_SECONDS_MAX,
                "-rss_limit_mb=0"));
        if (seed != null) {
            command.add("-seed=" + seed);
        }
        if (limit.seconds() > 0) {
            command.add("-max_total_time=" + limit.seconds());
        }
        if (limit.inputs() > 0) {
            command.add("-runs=" + limit.inputs());
        }
        command.add(kept.toString());
        command.add(seeds.toString());
        if (Files.isDirectory(committed)) {
            command.add(committed.toString());
        }
        return command;
    }

    private Outcome outcome(int code, Path log) throws IOException {
        long inputs = 0;
        long perSecond = 0;
        long coverage = 0;
        long corpus = 0;
        String finding = null;
        String artifact = null;
        for (String line : Files.readAllLines(log, java.nio.charset.StandardCharsets.ISO_8859_1)) {
            Matcher progress = PROGRESS.matcher(line);
            Matcher done = DONE.matcher(line);
            Matcher found = FINDING.matcher(line);
            Matcher written = ARTIFACT.matcher(line);
            if (progress.matches()) {
                inputs = Long.parseLong(progress.group(1));
                coverage = Long.parseLong(progress.group(2));
                corpus = Long.parseLong(progress.group(3));
                perSecond = Long.parseLong(progress.group(4));
            } else if (done.matches()) {
                inputs = Long.parseLong(done.group(1));
                perSecond = inputs / Math.max(1, Long.parseLong(done.group(2)));
            } else if (found.matches() && finding == null) {
                finding = found.group(1) != null ? found.group(1) : found.group(2);
            } else if (written.matches()) {
                artifact = written.group(1);
            }
        }
        if (code != 0) {
            finding = (finding == null ? "exit code " + code : finding) + "; "
                    + (artifact == null
                            ? "see " + log
                            : "replay: tools/fuzz/run --target " + target.name() + " --replay " + artifact);
        }
        return new Outcome(inputs, perSecond, coverage, corpus, code == 0 ? null : finding);
    }

    private static void deleteAll(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(each);
                }
            }
        }
    }
}
