package io.dxnet.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs each benchmark for a moment in this JVM: figures of no worth, but
 * a benchmark that throws fails.
 */
class EveryBenchmarkTest {
    @Test
    void shouldRunAndBeInTheTables(@TempDir(cleanup = CleanupMode.ON_SUCCESS) Path folder) throws Exception {
        try {
            System.setProperty(
                    NativeLibrary.PROPERTY, NativeLibrary.compile(folder).toString());
        } catch (NativeLibrary.Unavailable e) {
            Assumptions.abort(e.getMessage());
        }

        Collection<RunResult> results = new Runner(new OptionsBuilder()
                        .forks(0)
                        .warmupIterations(0)
                        .measurementIterations(1)
                        .measurementTime(TimeValue.milliseconds(1))
                        .param("chain", "8")
                        // More would wait for each other, on a busy machine for minutes.
                        .param("producers", "1")
                        .param("consumers", "1")
                        .param("outstanding", "10")
                        .verbosity(VerboseMode.SILENT)
                        .shouldFailOnError(true)
                        .build())
                .run();

        assertThat(results.stream()
                        .map(result -> result.getParams().getBenchmark())
                        .collect(Collectors.toSet()))
                .containsExactlyInAnyOrderElementsOf(ForkOptions.names(List.of()));
        assertThat(MarkdownTables.of(results, "command"))
                .startsWith("`command`")
                .contains("### VerbsPost", "| callee DRIVER, chain 8 |", "| withCub |", "### CrossingUp");
    }
}
