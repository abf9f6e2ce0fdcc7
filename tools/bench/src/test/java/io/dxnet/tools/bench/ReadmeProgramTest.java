package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The programs of README.md and docs/PORTING.md: the first {@code java} block with a {@code main}
 * is compiled and run as it stands there. When the next block is a {@code text} block, that is what
 * it must print; else it must print something.
 */
class ReadmeProgramTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```([a-z]*)\\n(.*?)^```$");
    private static final Pattern CLASS =
            Pattern.compile("(?m)^(?:public |final )*(?:class|record|interface|enum) (\\w+)");

    @TempDir
    Path directory;

    /** A fenced block of the README. */
    private record Block(String language, String text) {}

    /** The program and what it shall print. */
    private record Program(String source, Optional<String> output) {
        /** The class with the main method: the last one that begins before it. */
        String mainClass() {
            Matcher matcher = CLASS.matcher(source.substring(0, source.indexOf("void main(")));
            String name = null;
            while (matcher.find()) {
                name = matcher.group(1);
            }
            return name;
        }
    }

    private static Optional<Program> find(String readme) {
        List<Block> blocks = new ArrayList<>();
        Matcher matcher = BLOCK.matcher(readme);
        while (matcher.find()) {
            blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        for (int i = 0; i < blocks.size(); i++) {
            Block block = blocks.get(i);
            if (block.language().equals("java") && block.text().contains("void main(")) {
                Optional<String> output =
                        i + 1 < blocks.size() && blocks.get(i + 1).language().equals("text")
                                ? Optional.of(blocks.get(i + 1).text())
                                : Optional.empty();
                return Optional.of(new Program(block.text(), output));
            }
        }
        return Optional.empty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"README.md", "docs/PORTING.md"})
    @Timeout(90)
    void shouldCompileAndPrintWhatTheDocumentShows(String document) throws IOException, InterruptedException {
        run(find(Files.readString(root().resolve(document))).orElseThrow());
    }

    @Test
    void shouldHaveAProgramOfThirtyLinesInTheReadme() throws IOException {
        Program program = find(Files.readString(root().resolve("README.md"))).orElseThrow();
        assertThat(program.source().lines()).hasSizeLessThanOrEqualTo(30);
    }

    /**
     * What this test does must work for a program that is right, and fail for one that is wrong.
     */
    @Test
    @Timeout(90)
    void shouldRunAProgramThatIsWrittenLikeTheReadmes() throws IOException, InterruptedException {
        String source = """
                Words.
                ```sh
                ./dxnet bench
                ```
                ```java
                import io.dxnet.*;
                record Other(int x) {}
                final class Hello {
                    public static void main(String[] args) throws Exception {
                        NodeMap map = new NodeMap(0).put(0, "127.0.0.1:0");
                        try (DXNet net = new DXNet(DXNetConfig.builder().transport("nio").build(), map)) {
                            System.out.println("hello " + net.config().transport());
                        }
                    }
                }
                ```
                It prints
                ```text
                hello nio
                ```
                """;
        Program program = find(source).orElseThrow();
        assertThat(program.mainClass()).isEqualTo("Hello");
        run(program);
        assertThat(find("```java\nclass X {}\n```\n")).isEmpty();
    }

    private void run(Program program) throws IOException, InterruptedException {
        String mainClass = program.mainClass();
        Path source = directory.resolve(mainClass + ".java");
        Files.writeString(source, program.source());
        StringWriter messages = new StringWriter();
        PrintWriter writer = new PrintWriter(messages);
        int compiled = ToolProvider.findFirst("javac")
                .orElseThrow()
                .run(
                        writer,
                        writer,
                        "-Xlint:all",
                        "--module-path",
                        modulePath(),
                        "--add-modules",
                        "io.dxnet.api",
                        "-d",
                        directory.toString(),
                        source.toString());
        assertThat(compiled).as(messages.toString()).isZero();
        Path out = directory.resolve("out.txt");
        Path err = directory.resolve("err.txt");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--module-path",
                        modulePath(),
                        "--add-modules",
                        "io.dxnet.runtime",
                        "-cp",
                        directory + File.pathSeparator + System.getProperty("java.class.path"),
                        mainClass)
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        boolean ended = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();
        String printed = Files.readString(out);
        assertThat(ended).as("it ends").isTrue();
        assertThat(process.exitValue()).as(Files.readString(err)).isZero();
        if (program.output().isPresent()) {
            assertThat(printed.strip()).isEqualTo(program.output().get().strip());
        } else {
            assertThat(printed).isNotBlank();
        }
    }

    /**
     * Where this test's own DXNet came from; what no module of it requires, a
     * transport, is on the class path.
     */
    private static String modulePath() {
        return System.getProperty("jdk.module.path");
    }

    /** The repository's folder. */
    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("dxnet-api"))) {
            folder = folder.getParent();
        }
        return folder;
    }
}
