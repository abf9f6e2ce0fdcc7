package io.dxnet.tools.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@link TestbedLinkFaults} with a program that records its arguments. */
class TestbedLinkFaultsTest {
    private static final int LINKS = 3;
    private static final int MANY = 50;

    @TempDir
    private Path directory;

    private Path program;
    private List<String> command;
    private Path words;

    @BeforeEach
    void writeProgram() throws IOException {
        program = directory.resolve("fault");
        command = List.of(program.toString());
        words = directory.resolve("words");
        script("echo \"$*\" >>" + words);
    }

    private void script(String line) throws IOException {
        Files.writeString(program, "#!/bin/sh\n" + line + "\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private List<String> said() throws IOException {
        List<String> lines = Files.readAllLines(words);
        Files.delete(words);
        return lines;
    }

    @Test
    void shouldLosePacketsOfAllLinksAllTheTime() throws Exception {
        try (TestbedLinkFaults faults = new TestbedLinkFaults(command, LINKS, 5, new Random(1))) {
            assertThat(said()).containsExactly("all heal", "--out all loss 5");
            faults.begin();
            String link = said().getFirst().substring(0, 1);
            faults.end();
            assertThat(said()).containsExactly(link + " heal", "--out " + link + " loss 5");
        }
        assertThat(said()).containsExactly("all heal");
    }

    @Test
    void shouldHealOneLinkBeforeItMakesAnotherBad() throws Exception {
        try (TestbedLinkFaults faults = new TestbedLinkFaults(command, LINKS, 0, new Random(1))) {
            faults.begin();
            String link = said().getLast().substring(0, 1);
            for (int i = 0; i < MANY; i++) {
                assertThat(faults.begin()).isPositive();
                List<String> two = said();
                assertThat(two).hasSize(2).first().isEqualTo(link + " heal");
                assertThat(two.getLast()).matches("[1-3] (loss|delay|duplicate) .*");
                link = two.getLast().substring(0, 1);
            }
        }
    }

    @Test
    void shouldFailWhereTheProgramDoes() throws IOException {
        script("exit 2");
        assertThatThrownBy(() -> new TestbedLinkFaults(command, LINKS, 0, new Random(1)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("exit code 2");
    }
}
