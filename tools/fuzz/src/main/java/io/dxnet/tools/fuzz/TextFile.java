package io.dxnet.tools.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One file that is written again and again: what is fuzzed reads files. In memory where
 * the machine has such a folder.
 */
final class TextFile {
    private static final Path MEMORY = Path.of("/dev/shm");

    private final Path path;

    TextFile() {
        try {
            path = Files.isWritable(MEMORY)
                    ? Files.createTempFile(MEMORY, "dxnet-fuzz", ".properties")
                    : Files.createTempFile("dxnet-fuzz", ".properties");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        path.toFile().deleteOnExit();
    }

    Path with(byte[] content) throws IOException {
        return Files.write(path, content);
    }
}
