package io.dxnet.tools.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks where the artifacts of DXNet in a local Maven repository came from: Maven
 * notes the repository of each file.
 */
final class Origins {
    private static final String NOTES = "_remote.repositories";

    private final Report report;

    Origins(Report report) {
        this.report = report;
    }

    void check(Path localRepository, String expected) throws IOException {
        Path group = localRepository.resolve("io").resolve("dxnet");
        int files = 0;
        for (Path notes : notes(group)) {
            for (String line : Files.readAllLines(notes)) {
                if (!line.startsWith("#") && !line.isBlank()) {
                    files++;
                    origin(group.relativize(notes.getParent()), line, expected);
                }
            }
        }
        report.require(files > 0, "Maven fetched nothing of DXNet into " + localRepository);
        report.note(files + " files of DXNet came from the repository " + expected);
    }

    /** A line is {@code file>repository=}; what was installed has no repository. */
    private void origin(Path folder, String line, String expected) {
        int arrow = line.indexOf('>');
        String repository = line.substring(arrow + 1).replace("=", "");
        report.require(
                repository.equals(expected),
                folder + ": " + line.substring(0, Math.max(arrow, 0)) + " came from '" + repository
                        + "'; a mirror of all repositories in settings.xml would do that: exclude '" + expected + "'");
    }

    private static List<Path> notes(Path group) throws IOException {
        if (!Files.isDirectory(group)) {
            return List.of();
        }
        try (Stream<Path> all = Files.walk(group)) {
            return all.filter(file -> file.endsWith(NOTES)).sorted().toList();
        }
    }
}
