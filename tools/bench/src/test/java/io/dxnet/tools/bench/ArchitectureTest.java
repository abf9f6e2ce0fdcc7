package io.dxnet.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The arrows between packages and classes of the product, as docs/ARCHITECTURE.md draws them. */
class ArchitectureTest {
    private static final Path ROOT = Path.of("../..");
    private static final String CLASSES = "target/classes";
    private static final String PREFIX = "io.dxnet.";

    /** The packages of dxnet-runtime: each uses those that follow it, and none before it. */
    private static final List<String> LAYERS = List.of(
            "runtime",
            "runtime.memory",
            "runtime.handle",
            "runtime.connect",
            "runtime.receive",
            "runtime.request",
            "runtime.send",
            "runtime.peer",
            "runtime.report",
            "runtime.wire",
            "transport.loopback",
            "runtime.thread",
            "transport.connection",
            "transport.handshake",
            "transport.shared",
            "transport",
            "transport.memory",
            "transport.idle",
            "transport.security",
            "transport.tls",
            "transport.ring");

    private static final int CYCLE_MAX = 4;
    private static final int LINES_MAX = 400;
    private static final String REASON = "more than " + LINES_MAX + " lines";

    /** Of each class, those that it uses; nested classes count as the outermost. */
    private static Map<String, Set<String>> uses(String module) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass each :
                new ClassFileImporter().importPath(ROOT.resolve(module).resolve(CLASSES))) {
            Set<String> used = uses.computeIfAbsent(outermost(each), name -> new TreeSet<>());
            for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
                used.add(outermost(dependency.getTargetClass().getBaseComponentType()));
            }
        }
        uses.forEach((name, used) -> used.remove(name));
        return uses;
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }

    private static String packageOf(String type) {
        return type.substring(0, Math.max(0, type.lastIndexOf('.')));
    }

    /** The package's place in {@link #LAYERS}; -1: none of them. */
    private static int layer(String type) {
        String name = packageOf(type);
        return name.startsWith(PREFIX) ? LAYERS.indexOf(name.substring(PREFIX.length())) : -1;
    }

    @Test
    void shouldUsePackagesBelowAlone() {
        Map<String, Set<String>> uses = uses("dxnet-runtime");
        assertThat(uses).hasSizeGreaterThan(100);
        List<String> upwards = new ArrayList<>();
        uses.forEach((type, used) -> {
            if (!type.endsWith("module-info")) {
                assertThat(layer(type))
                        .as("a package without a layer: %s", type)
                        .isNotNegative();
            }
            for (String target : used) {
                if (layer(target) >= 0 && layer(target) < layer(type)) {
                    upwards.add(type + " -> " + target);
                }
            }
        });
        assertThat(upwards).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"transport-nio", "transport-shm", "transport-ib"})
    void shouldHaveSmallCyclesOfClasses(String module) {
        Map<String, Set<String>> uses = uses(module);
        assertThat(uses).hasSizeGreaterThan(10);
        for (Set<String> cycle : cycles(uses)) {
            assertThat(cycle).as("classes of one cycle").hasSizeLessThanOrEqualTo(CYCLE_MAX);
        }
    }

    /** The library calls C by java.lang.foreign alone; other ways are in the benchmarks. */
    @ParameterizedTest
    @ValueSource(
            strings = {"dxnet-api", "dxnet-runtime", "ibverbs-ffm", "transport-ib", "transport-nio", "transport-shm"})
    void shouldHaveNoNativeMethod(String module) {
        List<String> names = new ArrayList<>();
        for (JavaClass each :
                new ClassFileImporter().importPath(ROOT.resolve(module).resolve(CLASSES))) {
            for (JavaMethod method : each.getMethods()) {
                if (method.getModifiers().contains(JavaModifier.NATIVE)) {
                    names.add(method.getFullName());
                }
            }
        }
        assertThat(uses(module)).isNotEmpty();
        assertThat(names).isEmpty();
    }

    @Test
    void shouldFindCycles() {
        Map<String, Set<String>> uses =
                Map.of("a", Set.of("b"), "b", Set.of("c"), "c", Set.of("a", "d"), "d", Set.of("e"), "e", Set.of());
        assertThat(cycles(uses)).containsExactly(Set.of("a", "b", "c"));
    }

    /** Classes that reach each other, in groups of two and more. */
    private static List<Set<String>> cycles(Map<String, Set<String>> uses) {
        Map<String, Set<String>> reached = new HashMap<>();
        uses.keySet().forEach(type -> reached.put(type, reach(uses, type)));
        List<Set<String>> cycles = new ArrayList<>();
        Set<String> seen = new TreeSet<>();
        for (String type : new TreeSet<>(uses.keySet())) {
            Set<String> cycle = new TreeSet<>();
            for (String other : reached.get(type)) {
                if (reached.getOrDefault(other, Set.of()).contains(type)) {
                    cycle.add(other);
                }
            }
            if (cycle.size() > 1 && seen.add(cycle.iterator().next())) {
                cycles.add(cycle);
            }
        }
        return cycles;
    }

    private static Set<String> reach(Map<String, Set<String>> uses, String from) {
        Set<String> reached = new TreeSet<>();
        Deque<String> open = new ArrayDeque<>(uses.get(from));
        while (!open.isEmpty()) {
            String next = open.pop();
            if (uses.containsKey(next) && reached.add(next)) {
                open.addAll(uses.get(next));
            }
        }
        return reached;
    }

    /** The Javadoc of a longer class states the reason. */
    @ParameterizedTest
    @ValueSource(
            strings = {"dxnet-api", "dxnet-runtime", "transport-nio", "transport-shm", "transport-ib", "ibverbs-ffm"})
    void shouldHaveClassesOfOneIdea(String module) throws IOException {
        List<String> longer = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                boolean isGenerated = file.toString().contains("/ibverbs/raw/");
                String source = isGenerated ? "" : Files.readString(file);
                String words = source.replaceAll("\\s+\\*?\\s*", " ");
                if (source.lines().count() > LINES_MAX && !words.contains(REASON)) {
                    longer.add(file.getFileName().toString());
                }
            }
        }
        assertThat(longer).isEmpty();
    }
}
