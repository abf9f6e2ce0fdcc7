package io.dxnet.tools.release;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Writes a staged repository with a BOM and one artifact, complete at first; a test then breaks it.
 */
final class StagedArtifact {
    static final String VERSION = "1.2.3";
    static final String NAME = "dxnet-api";

    private static final String LICENCE = "the licence";
    private static final String NOTICE = "the notice";

    private final Path root;
    private final StagedRepository repository;

    StagedArtifact(Path root) throws IOException {
        this.root = root;
        repository = new StagedRepository(root.resolve("repository"), VERSION);
        Files.writeString(root.resolve("LICENSE"), LICENCE);
        Files.writeString(root.resolve("NOTICE"), NOTICE);
        write(StagedRepository.BOM, ".pom", pom(StagedRepository.BOM, managed(NAME)));
        write(NAME, ".pom", pom(NAME, dependencies("org.jctools", "jctools-core-jdk11", "4.0.7")));
        write(NAME, ".jar", jar("module-info.class", moduleInfo()));
        write(NAME, "-sources.jar", jar("module-info.java", new byte[0]));
        write(NAME, "-javadoc.jar", jar("index.html", new byte[0]));
        write(NAME, "-cyclonedx.json", "{}".getBytes(StandardCharsets.UTF_8));
        write(NAME, "-cyclonedx.xml", sbom("4.0.7"));
    }

    Path sources() {
        return root;
    }

    StagedRepository repository() {
        return repository;
    }

    /** Writes a file with the checksums that it needs. */
    void write(String artifact, String suffix, byte[] content) {
        try {
            Path file = repository.file(artifact, suffix);
            Files.createDirectories(file.getParent());
            Files.write(file, content);
            sum(file, ".md5", "MD5", content);
            sum(file, ".sha1", "SHA-1", content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void delete(String suffix) {
        try {
            Files.delete(repository.file(NAME, suffix));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] pom(String artifact, String more) {
        return """
                <project>
                  <groupId>io.dxnet</groupId>
                  <artifactId>%s</artifactId>
                  <version>%s</version>
                  <name>n</name>
                  <description>d</description>
                  <licenses><license><name>Apache-2.0</name></license></licenses>
                  <developers><developer><name>the developers</name></developer></developers>
                  %s
                </project>
                """.formatted(artifact, VERSION, more).getBytes(StandardCharsets.UTF_8);
    }

    static String managed(String artifact) {
        return "<dependencyManagement>" + dependencies("io.dxnet", artifact, "${project.version}")
                + "</dependencyManagement>";
    }

    static String dependencies(String group, String artifact, String version) {
        return "<dependencies><dependency><groupId>" + group + "</groupId><artifactId>" + artifact
                + "</artifactId><version>" + version + "</version></dependency></dependencies>";
    }

    /** A software bill of materials that names one component. */
    static byte[] sbom(String version) {
        return """
                <bom>
                  <metadata><component><name>%s</name><version>%s</version></component></metadata>
                  <components><component><group>org.jctools</group><name>jctools-core-jdk11</name><version>%s</version></component></components>
                </bom>
                """.formatted(NAME, VERSION, version).getBytes(StandardCharsets.UTF_8);
    }

    /** A jar with licence, notice and one more entry. */
    static byte[] jar(String name, byte[] content) {
        return zip(new TreeMap<>(Map.of(
                "META-INF/LICENSE",
                LICENCE.getBytes(StandardCharsets.UTF_8),
                "META-INF/NOTICE",
                NOTICE.getBytes(StandardCharsets.UTF_8),
                name,
                content)));
    }

    static byte[] zip(Map<String, byte[]> entries) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(bytes)) {
            for (var each : entries.entrySet()) {
                ZipEntry entry = new ZipEntry(each.getKey());
                entry.setTime(0);
                out.putNextEntry(entry);
                out.write(each.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The descriptor of this module. */
    static byte[] moduleInfo() {
        try (InputStream in = Main.class.getResourceAsStream("/module-info.class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void sum(Path file, String suffix, String algorithm, byte[] content) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance(algorithm).digest(content);
            Files.writeString(
                    file.resolveSibling(file.getFileName() + suffix),
                    HexFormat.of().formatHex(digest));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
