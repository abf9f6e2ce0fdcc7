package io.dxnet.tools.verbs.endpoints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dxnet.softhca.SoftFaults;
import io.dxnet.softhca.SoftHca;
import io.dxnet.tools.cli.ToolException;
import io.dxnet.tools.verbs.Main;
import io.dxnet.tools.verbs.Port;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Short verified runs on the software device. */
@Timeout(120)
class EndpointsBenchTest {
    private static final Port PORT = new Port("soft0", 1, -1);
    private static final Port PEER = new Port("soft1", 1, -1);
    private static final int STALL = 30;

    @AfterEach
    void everythingIsClosed() {
        SoftFaults.of("soft0").clear();
        assertThat(SoftHca.census().contexts()).isZero();
        assertThat(SoftHca.census().registeredBytes()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldWriteWithEachFeatureInEachCategory(Category category) {
        MessageRate.Settings settings = new MessageRate.Settings(8, 32, 8, 16, STALL);
        try (MessageRate rate = new MessageRate(settings, category, 3, PORT, PEER)) {
            long seed = 1;
            for (FeatureSet features : FeatureSet.values()) {
                MessageRate.Outcome outcome = rate.run(features, 10_000_000, seed++, true);
                assertThat(outcome.wrong()).as("%s", features).isZero();
                assertThat(outcome.messages()).as("%s", features).isPositive();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldMultiplyMatricesInEachCategory(Category category) {
        try (GlobalArray array = new GlobalArray(new Tiles(32, 8), STALL, category, 3, PORT, PEER)) {
            KernelResult result = array.run();
            assertThat(result.wrong()).isZero();
            assertThat(result.messages()).isEqualTo(4 * 4 * (2 * 4 + 1));
            assertThat(result.resources().memoryRegions()).isEqualTo(9);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldComputeTheStencilInEachCategory(Category category) {
        Stencil.Settings settings = new Stencil.Settings(2, 2, 3, 8, 15, STALL);
        try (Stencil stencil = new Stencil(settings, category, PORT, PEER)) {
            KernelResult result = stencil.run();
            assertThat(result.wrong()).isZero();
            assertThat(result.messages()).isEqualTo(2L * 3 * 2 * 15);
        }
    }

    @Test
    void shouldFailInBoundedTimeWhenTheLinkIsCut() {
        SoftFaults.of("soft0").cutLink(true);
        MessageRate.Settings settings = new MessageRate.Settings(8, 32, 8, 16, 5);
        try (MessageRate rate = new MessageRate(settings, Category.MPI_THREADS, 2, PORT, PEER)) {
            assertThatThrownBy(() -> rate.run(FeatureSet.ALL, 1_000_000_000, 1, false))
                    .isInstanceOf(ToolException.class)
                    .hasMessageContaining("RETRY_EXC_ERR");
        }
    }

    @Test
    void shouldRunAsACommandAndWriteAllFiles(@TempDir Path folder) throws IOException {
        Path json = folder.resolve("r.json");
        Path csv = folder.resolve("r.csv");
        Path plots = folder.resolve("plots");
        int exit = Main.run(
                "endpoints-bench",
                "--quick",
                "--verify",
                "--total",
                "0.5",
                "--json",
                json.toString(),
                "--csv",
                csv.toString(),
                "--plot",
                plots.toString());
        assertThat(exit).isZero();
        assertThat(Files.readString(json))
                .contains("\"category\": \"2xDynamic\"", "\"commandLine\": \"./dxnet endpoints-bench");
        // Rates: 6 categories, 1 and 4 threads, 2 feature sets; global array; stencil in 3 layouts.
        assertThat(Files.readAllLines(csv)).hasSize(1 + 24 + 6 + 18);
        assertThat(plots.resolve("endpoints-rate-all.png")).isNotEmptyFile();
        assertThat(plots.resolve("endpoints-5-pt-stencil.svg")).isNotEmptyFile();
    }

    @Test
    void shouldSayWhatIsWrongWithTheOptions() {
        assertThat(Main.run("endpoints-bench", "--seconds", "0")).isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--seconds", "1e99")).isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--json", "/nonsense/x.json")).isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--plot", "/dev/null")).isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--nonsense")).isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--category", "open")).isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--unsignaled", "100")).isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--matrix", "100", "--tile", "16"))
                .isEqualTo(2);
        assertThat(Main.run("endpoints-bench", "--device", "nosuch0")).isEqualTo(1);
    }
}
