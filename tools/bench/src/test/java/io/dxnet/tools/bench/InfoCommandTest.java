package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class InfoCommandTest {
    /** {@code ./dxnet info --config} prints it: a key that is added is documented with it. */
    @Test
    void shouldPrintTheTableOfTheDocument() throws IOException {
        assertThat(Files.readString(Path.of("../../docs/CONFIGURATION.md"))).contains(InfoCommand.configTable());
    }

    @Test
    void shouldDescribeANode() {
        assertThat(Main.run("info")).isZero();
        assertThat(Main.run("info", "--config")).isZero();
    }
}
