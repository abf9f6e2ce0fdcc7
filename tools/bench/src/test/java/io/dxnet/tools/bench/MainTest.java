package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "bench --size 0",
                "bench --pattern star",
                "bench --threads 0",
                "bench --nodes 1",
                "bench --runs 0",
                "bench --node 0",
                "bench --messages -1",
                "bench -D nonsense=1",
                "bench -D ringBytes=3",
                "bench --size 1G",
                "bench --threads 1,2,",
                "bench --handlers 129",
                "bench --parking sometimes",
                "bench --option x=1",
                "bench --nodes 8..2",
                "bench --quick",
                "bench --figure nonsense",
                "bench --figure uni --node 0",
                "bench --figure uni --csv x.csv",
                "bench --nonsense",
                "bench --seconds 0",
                "bench --seconds 1e99",
                "bench --seconds NaN",
                "bench --seconds Infinity",
                "bench --warmup 1e99",
                "bench --first-warmup -1",
                "bench --messages 0",
                "bench --threads 5000",
                "bench --threads 257 --verify",
                "bench --batch 2",
                "bench --chains 2",
                "bench --pattern read --chains 65",
                "bench --pattern rtt --pause -1",
                "bench --pattern read --batch 0",
                "bench --pattern read --batch 1025",
                "bench --pattern uni,read --api records",
                "bench --pattern write --size 1M --batch 1024 --threads 2",
                "bench --node 0 --node-map /nonsense/map",
                "bench --node 0 --node-map /",
                "bench --config /nonsense/config",
                "bench --config /",
                "bench --json /nonsense/x.json",
                "bench --json /",
                "bench --csv /nonsense/x.csv",
                "bench --csv /proc/x.csv",
                "bench --plot /proc/nonsense/plots",
                "bench --plot /dev/null",
                "bench --figures /proc/nonsense/figures",
                "bench --figure uni --figures /dev/null",
                "bench --figure uni --nonsense"
            })
    void shouldExitWithTwoForWrongOptions(String line) {
        assertThat(Main.run(line.split(" "))).isEqualTo(2);
    }

    /** One or two lines: what is wrong, and where the help is; nothing was measured before. */
    private static List<String> errorOf(String line) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int code;
        try (PrintStream capture = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            System.setErr(capture);
            code = Main.run(line.split(" "));
        } finally {
            System.setErr(before);
        }
        assertThat(code).isNotZero();
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @ParameterizedTest
    @CsvSource({
        "bench --nonsense, --nonsense",
        "bench --size, --size",
        "bench --runs x, --runs",
        "bench surprise, surprise",
    })
    void shouldPrintTheErrorAndWhereTheHelpIs(String line, String part) {
        assertThat(errorOf(line))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("bench: ")
                .contains(part);
        assertThat(errorOf(line).getLast()).isEqualTo("help: ./dxnet bench --help");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bench --seconds 1e99 | --seconds 1.0E99 is not in 0.001..86400 seconds",
                "bench --seconds 0 | --seconds 0.0 is not in 0.001..86400 seconds",
                "bench --json /nonsense/x.json | --json /nonsense/x.json: there is no such file or folder",
                "bench --csv / | --csv /: is a folder",
                "bench --plot /dev/null | --plot /dev/null: is not a folder",
                "bench --figures /dev/null/x | --figures /dev/null/x: ",
                "bench --node 0 --node-map /nonsense/map | --node-map /nonsense/map: there is no such file",
                "bench --config /nonsense/config | --config /nonsense/config: there is no such file",
                "bench --threads 257 --verify | with --verify, a node's messages distinguish 256 threads",
                "bench --batch 1,2 --pattern rtt | --batch 1,2 --chains 1: chains are of the patterns read, write, atomic and notify",
                "bench --pattern rtt,uni --pause 5 | --pause 5: pauses are of the patterns rtt and rtt-all-to-all",
                "bench --pattern uni,notify --api records | --api records: pattern notify sends no messages",
                "bench --pattern read --size 1G --threads 2 | 2147483648 bytes of memory of each node, more than 1G",
                "bench --transport ib --device soft0 --binding c | --binding c: allowed are ffm, jni, upcall",
                "bench --transport loopback --binding ffm | only transport ib calls verbs",
                "bench --transport ib --device soft0 --binding jni | was not started for it; ./dxnet bench does that",
                "bench --transport ib --device soft0 --binding upcall | was not started for it; ./dxnet bench does that",
                "bench --transport pigeons | there are: ib, loopback, nio"
            })
    void shouldPrintOneLineThatSaysWhatIsWrong(String line, String part) {
        assertThat(errorOf(line))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("bench: ")
                .contains(part);
    }

    /** A node map that is no text, found only by reading it. */
    @Test
    void shouldPrintOneLineForFilesThatAreNoProperties() throws IOException {
        Path file = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1});
        assertThat(errorOf("bench --node 0 --node-map " + file)).hasSize(1);
        assertThat(errorOf("bench --config " + file)).hasSize(1);
    }

    @Test
    void shouldLeaveNoFileWhereItChecksOne() throws IOException {
        Path json = directory.resolve("x.json");
        Path csv = Files.writeString(directory.resolve("x.csv"), "kept");
        errorOf("bench --json " + json + " --csv " + csv + " --transport pigeons");
        assertThat(json).doesNotExist();
        assertThat(csv).hasContent("kept");
    }

    @Test
    void shouldExitWithOneForATransportThatIsNotThere() {
        assertThat(Main.run("bench", "--transport", "pigeons")).isEqualTo(1);
    }

    @Test
    void shouldExplainItself() {
        assertThat(Main.run("bench", "--help")).isZero();
    }
}
