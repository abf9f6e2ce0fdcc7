package io.dxnet.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;

import io.dxnet.ibverbs.raw.ibv_qp;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.UnionLayout;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the generated layouts with what gcc makes of the installed header: the size of each
 * struct and the offset of each field.
 */
class LayoutTest {
    private static final Path HEADER = Path.of("/usr/include/infiniband/verbs.h");

    /**
     * {@code ibv_port_attr} grew in rdma-core 50; the binding allocates 64 bytes and
     * reads the part that did not change.
     */
    private static final String GREW = "sizeof struct ibv_port_attr";

    @Test
    @Timeout(120)
    @DisplayName("every struct size and field offset is what gcc prints from the installed header")
    void shouldEqualTheCompilersLayout(@TempDir Path folder) throws Exception {
        Assumptions.assumeTrue(Files.isReadable(HEADER), HEADER + " is not installed (apt-get install libibverbs-dev)");
        Assumptions.assumeTrue(works("gcc", "--version"), "gcc is not installed");
        Map<String, Long> ours = layouts();
        assertThat(ours)
                .hasSizeGreaterThan(300)
                .containsKeys("sizeof struct ibv_send_wr", "struct ibv_send_wr wr.ud.ah");
        Map<String, Long> theirs = print(folder, ours);
        if (theirs.get(GREW) > ours.get(GREW)) {
            theirs.remove(GREW);
            ours.remove(GREW);
        }
        assertThat(ours).isEqualTo(theirs);
    }

    private static boolean works(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Key is what the C program prints before the number:
     * {@code sizeof struct x} or {@code struct x field}.
     */
    private static Map<String, Long> layouts() throws Exception {
        Map<String, Long> numbers = new TreeMap<>();
        Path classes = Path.of(location()).resolve("io/dxnet/ibverbs/raw");
        try (Stream<Path> files = Files.list(classes)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString().replace(".class", "");
                if (name.matches("(ibv_|verbs_|_ibv_)[a-z_]+") && !name.equals("verbs_h")) {
                    Class<?> type = Class.forName("io.dxnet.ibverbs.raw." + name);
                    Method layout = type.getMethod("layout");
                    add(numbers, name, (GroupLayout) layout.invoke(null));
                }
            }
        }
        return numbers;
    }

    private static URI location() throws URISyntaxException {
        return ibv_qp.class.getProtectionDomain().getCodeSource().getLocation().toURI();
    }

    private static void add(Map<String, Long> numbers, String name, GroupLayout layout) {
        String type = (layout instanceof UnionLayout ? "union " : "struct ") + name;
        numbers.put("sizeof " + type, layout.byteSize());
        addFields(numbers, type, "", layout, 0);
    }

    private static void addFields(Map<String, Long> numbers, String type, String path, GroupLayout layout, long base) {
        long offset = 0;
        for (MemoryLayout member : layout.memberLayouts()) {
            String name = member.name().orElse("");
            boolean anonymous = name.isEmpty() || name.startsWith("$anon");
            long here = base + offset;
            if (!anonymous) {
                numbers.put(type + " " + path + name, here);
            }
            if (member instanceof GroupLayout group && !name.matches("mutex|cond")) {
                addFields(numbers, type, anonymous ? path : path + name + ".", group, here);
            }
            if (!(layout instanceof UnionLayout)) {
                offset += member.byteSize();
            }
        }
    }

    private static Map<String, Long> print(Path folder, Map<String, Long> wanted) throws Exception {
        StringBuilder program =
                new StringBuilder("#include <infiniband/verbs.h>\n#include <stdio.h>\nint main(void) {\n");
        for (String key : wanted.keySet()) {
            String expression;
            if (key.startsWith("sizeof ")) {
                expression = "sizeof(" + key.substring("sizeof ".length()) + ")";
            } else {
                int field = key.lastIndexOf(' ');
                expression = "offsetof(" + key.substring(0, field) + ", " + key.substring(field + 1) + ")";
            }
            program.append("printf(\"%s=%zu\\n\", \"" + key + "\", (size_t) " + expression + ");\n");
        }
        program.append("return 0;\n}\n");
        Path source = folder.resolve("layout.c");
        Path binary = folder.resolve("layout");
        Files.writeString(source, program);
        Process gcc = new ProcessBuilder("gcc", "-o", binary.toString(), source.toString())
                .redirectErrorStream(true)
                .start();
        String messages = text(gcc.getInputStream());
        assertThat(gcc.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(gcc.exitValue()).describedAs(messages).isZero();
        Process run = new ProcessBuilder(binary.toString()).start();
        Map<String, Long> numbers = new TreeMap<>();
        text(run.getInputStream())
                .lines()
                .forEach(line -> numbers.put(
                        line.substring(0, line.indexOf('=')), Long.valueOf(line.substring(line.indexOf('=') + 1))));
        assertThat(run.waitFor()).isZero();
        return numbers;
    }

    private static String text(InputStream stream) throws IOException {
        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
}
