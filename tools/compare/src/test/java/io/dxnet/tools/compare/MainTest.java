package io.dxnet.tools.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @ParameterizedTest
    @ValueSource(strings = {"--peers=nobody", "--sizes=8", "--sizes=1M", "--threads=0", "--seconds=-1", "--what"})
    void shouldRefuseWrongOptions(String option) {
        assertThat(Main.run(option)).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--security", "--threads=2", "--peers=netty"})
    void shouldRefuseWhatDoesNotGoWithMemory(String option) {
        assertThat(Main.run("--memory", "--list")).isZero();
        assertThat(Main.run("--memory", "--list", option)).isEqualTo(2);
    }

    @Test
    void shouldListThePeers() {
        assertThat(Main.run("--list")).isZero();
    }

    @Test
    @Timeout(300)
    void shouldCompareAndWriteAllFiles(@TempDir Path directory) throws Exception {
        int exit = Main.run(
                "--peers=netty", "--sizes=64", "--threads=1", "--seconds=0.1", "--verify", "--out=" + directory);
        assertThat(exit).isZero();
        assertThat(directory.resolve("comparison.json")).isNotEmptyFile();
        assertThat(Files.readString(directory.resolve("comparison.md")))
                .contains("| 64 | raw NIO (floor) | TCP |", "| 64 | DXNet nio | TCP |", "| 64 | Netty | TCP |");
    }
}
