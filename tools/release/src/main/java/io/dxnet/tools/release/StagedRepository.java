package io.dxnet.tools.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder with the layout of a Maven repository that holds one version of DXNet.
 *
 * @param root the folder
 * @param version the version
 */
record StagedRepository(Path root, String version) {
    static final String GROUP = "io.dxnet";
    static final String BOM = "dxnet-bom";

    /** {@return the artifacts that have a folder, sorted} */
    List<String> artifacts() throws IOException {
        return names(group());
    }

    /** {@return the names of the files of an artifact's version, sorted} */
    List<String> files(String artifact) throws IOException {
        return names(folder(artifact));
    }

    Path folder(String artifact) {
        return group().resolve(artifact).resolve(version);
    }

    /**
     * {@return the file of an artifact} {@code suffix} is what follows the
     * version, as {@code -sources.jar}.
     */
    Path file(String artifact, String suffix) {
        return folder(artifact).resolve(name(artifact, suffix));
    }

    String name(String artifact, String suffix) {
        return artifact + "-" + version + suffix;
    }

    private Path group() {
        return root.resolve("io").resolve("dxnet");
    }

    private static List<String> names(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.map(child -> child.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }
}
