package io.dxnet.tools.release;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;

/** Checks what is in a jar. */
final class JarCheck {
    private static final String DESCRIPTOR = "module-info.class";
    /** The class-file version of Java 22. */
    private static final int CLASS_VERSION = 66;

    private static final List<String> NOTICES = List.of("LICENSE", "NOTICE");

    private final Path sources;
    private final Report report;

    JarCheck(Path sources, Report report) {
        this.sources = sources;
        this.report = report;
    }

    /** {@return the name of the module that a jar is} */
    String module(Path jar) throws IOException {
        byte[] descriptor = entry(jar, DESCRIPTOR);
        if (descriptor == null) {
            report.problem(jar.getFileName() + " has no " + DESCRIPTOR);
            return "?";
        }
        ByteBuffer bytes = ByteBuffer.wrap(descriptor);
        report.require(
                bytes.getShort(6) == CLASS_VERSION,
                jar.getFileName() + " has classes of version " + bytes.getShort(6) + ", not " + CLASS_VERSION);
        return ModuleDescriptor.read(bytes).name();
    }

    /** The licence and the notice of the project, unchanged. */
    void licence(Path jar) {
        try {
            for (String each : NOTICES) {
                byte[] actual = entry(jar, "META-INF/" + each);
                byte[] expected = Files.readAllBytes(sources.resolve(each));
                report.require(
                        actual != null && Arrays.equals(actual, expected),
                        jar.getFileName() + " has no META-INF/" + each + " as the project's");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void holds(Path jar, String name) throws IOException {
        report.require(entry(jar, name) != null, jar.getFileName() + " has no " + name);
    }

    private static byte[] entry(Path jar, String name) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            ZipEntry entry = file.getEntry(name);
            if (entry == null) {
                return null;
            }
            try (InputStream in = file.getInputStream(entry)) {
                return in.readAllBytes();
            }
        }
    }
}
