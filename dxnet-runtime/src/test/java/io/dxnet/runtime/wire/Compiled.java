package io.dxnet.runtime.wire;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles Java sources of a test into a folder. */
final class Compiled {
    private Compiled() {}

    /** Sources by their paths below the folder; the classes come next to them. */
    static void into(Path folder, Map<String, String> sources) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Map.Entry<String, String> source : sources.entrySet()) {
            Path file = folder.resolve(source.getKey());
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, source.getValue()));
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean isCompiled = compiler.getTask(
                            errors,
                            manager,
                            null,
                            List.of("-d", folder.toString(), "-proc:none", "-nowarn"),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!isCompiled) {
                throw new AssertionError(errors + "\n" + sources);
            }
        }
    }
}
