package io.dxnet.tools.release;

import static io.dxnet.tools.release.StagedArtifact.NAME;
import static io.dxnet.tools.release.StagedArtifact.VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MainTest {
    @TempDir
    private Path folder;

    private StagedArtifact staged;
    private String output = "";

    @BeforeEach
    void stage() throws IOException {
        staged = new StagedArtifact(folder);
    }

    @Test
    void shouldAcceptWhenTheRepositoryIsComplete() throws IOException {
        assertThat(verify()).isZero();
        assertThat(output)
                .contains("dxnet-bom: 1 artifacts")
                .contains("dxnet-api: module io.dxnet.tools.release")
                .contains("CENTRAL NEEDS  <scm>")
                .contains("CENTRAL NEEDS  a signature")
                .doesNotContain("PROBLEM");
    }

    static Stream<Arguments> breaks() {
        return Stream.of(
                broken("dxnet-api-1.2.3-sources.jar is missing", it -> it.delete("-sources.jar")),
                broken("dxnet-api-1.2.3.pom.sha1 is missing", it -> it.delete(".pom.sha1")),
                broken(
                        "dxnet-api-1.2.3.jar has no module-info.class",
                        it -> it.write(NAME, ".jar", StagedArtifact.jar("A.class", new byte[0]))),
                broken(
                        "dxnet-api-1.2.3-javadoc.jar has no META-INF/NOTICE as the project's",
                        it -> it.write(NAME, "-javadoc.jar", StagedArtifact.zip(Map.of("index.html", new byte[0])))),
                broken(
                        "dxnet-api-1.2.3-sources.jar has no module-info.java",
                        it -> it.write(NAME, "-sources.jar", StagedArtifact.jar("A.java", new byte[0]))),
                broken(
                        "dxnet-api-1.2.3-tests.jar is staged, and is no part of a release",
                        it -> it.write(NAME, "-tests.jar", new byte[0])),
                broken(
                        "bench is staged, but the BOM does not list it",
                        it -> it.write("bench", ".pom", StagedArtifact.pom("bench", ""))),
                broken(
                        "dxnet-runtime is in the BOM, but is not staged",
                        it -> it.write(
                                StagedRepository.BOM,
                                ".pom",
                                StagedArtifact.pom(StagedRepository.BOM, StagedArtifact.managed("dxnet-runtime")))),
                broken("dxnet-api-1.2.3.pom has a parent", pom("<parent/>")),
                broken("dxnet-api-1.2.3.pom names a snapshot", pom("<!-- 1.2.3-SNAPSHOT -->")),
                broken("dxnet-api-1.2.3.pom has a property", pom("<!-- ${junit.version} -->")),
                broken(
                        "dxnet-api-1.2.3-cyclonedx.xml does not name org.jctools:jctools-core-jdk11:4.0.7",
                        it -> it.write(NAME, "-cyclonedx.xml", StagedArtifact.sbom("4.0.6"))));
    }

    private static Arguments broken(String problem, Consumer<StagedArtifact> change) {
        return Arguments.of(problem, change);
    }

    private static Consumer<StagedArtifact> pom(String more) {
        return it -> it.write(NAME, ".pom", StagedArtifact.pom(NAME, more));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("breaks")
    void shouldNameTheProblemWhenTheRepositoryIsBroken(String problem, Consumer<StagedArtifact> change)
            throws IOException {
        change.accept(staged);
        assertThat(verify()).isEqualTo(1);
        assertThat(output).contains("PROBLEM  " + problem);
    }

    @Test
    void shouldFindAChecksumWhenItIsOfAnotherFile() throws IOException {
        Files.writeString(staged.repository().file(NAME, ".jar.sha1"), "0".repeat(40));
        assertThat(verify()).isEqualTo(1);
        assertThat(output).contains("PROBLEM  dxnet-api-1.2.3.jar.sha1 is not the checksum of its file");
    }

    @Test
    void shouldNameTheEntryWhenTwoBuildsDiffer() throws IOException {
        Path other = folder.resolve("other");
        new StagedArtifact(Files.createDirectory(other))
                .write(NAME, ".jar", StagedArtifact.jar("A.class", new byte[1]));
        assertThat(run("compare", repository(), other.resolve("repository").toString()))
                .isEqualTo(1);
        assertThat(output).contains("dxnet-api-1.2.3.jar: differs at byte").contains("in A.class, module-info.class");
    }

    @Test
    void shouldAcceptWhenTwoBuildsAreEqual() throws IOException {
        Path other = folder.resolve("other");
        new StagedArtifact(Files.createDirectory(other));
        assertThat(run("compare", repository(), other.resolve("repository").toString()))
                .isZero();
        assertThat(output).contains("21 files compared");
    }

    @Test
    void shouldNameTheRepositoryWhenMavenFetchedFromAnother() throws IOException {
        Path artifact = Files.createDirectories(folder.resolve("m2/io/dxnet/dxnet-api/1.2.3"));
        Path notes = artifact.resolve("_remote.repositories");
        Files.writeString(notes, "#NOTE: by Maven\ndxnet-api-1.2.3.jar>staged=\n");
        assertThat(run("origins", folder.resolve("m2").toString(), "staged")).isZero();
        Files.writeString(notes, "dxnet-api-1.2.3.jar>central=\n");
        assertThat(run("origins", folder.resolve("m2").toString(), "staged")).isEqualTo(1);
        assertThat(output).contains("dxnet-api-1.2.3.jar came from 'central'");
    }

    @Test
    void shouldFindAJarWhenItIsNotTheStagedOne() throws IOException {
        Path lib = Files.createDirectory(folder.resolve("lib"));
        assertThat(run("used", lib.toString(), repository())).isEqualTo(1);
        Path jar = lib.resolve("dxnet-api-1.2.3.jar");
        Files.copy(staged.repository().file(NAME, ".jar"), jar);
        assertThat(run("used", lib.toString(), repository())).isZero();
        Files.write(jar, new byte[1]);
        assertThat(run("used", lib.toString(), repository())).isEqualTo(1);
        assertThat(output).contains("dxnet-api-1.2.3.jar: differs at byte 0, and one of them is no jar");
    }

    @Test
    void shouldPrintItsUsageWhenTheCommandIsUnknown() throws IOException {
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(output).contains("usage:");
    }

    private int verify() throws IOException {
        return run("verify", repository(), VERSION, staged.sources().toString());
    }

    private String repository() {
        return staged.repository().root().toString();
    }

    private int run(String... arguments) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int code;
        try (PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
            code = Main.run(List.of(arguments), out);
        }
        output = bytes.toString(StandardCharsets.UTF_8);
        return code;
    }
}
