package io.dxnet.jmh;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/** What the forks need on this machine, and which benchmarks cannot run on it, and why. */
final class ForkOptions {
    /** All that calls the C library: by convention such methods are named after JNI and C. */
    static final String NEEDS_LIBRARY = "\\.(Crossing\\w+|ExchangeCall|VerbsPollFull)\\.\\w+$|\\.(jni|inC)\\w*$";

    static final String NEEDS_UNSAFE = "\\.ExchangeUnsafe\\.";

    private final List<String> jvmArguments;
    /** Pattern of benchmark names to the reason. */
    private final Map<String, String> impossible;

    private final boolean library;

    ForkOptions(List<String> jvmArguments, Map<String, String> impossible, boolean library) {
        this.jvmArguments = jvmArguments;
        this.impossible = impossible;
        this.library = library;
    }

    /** Compiles the C library into a folder and checks what the JVM can do. */
    static ForkOptions of(Path folder) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--enable-native-access=ALL-UNNAMED"));
        Map<String, String> impossible = new LinkedHashMap<>();
        boolean library = false;
        try {
            arguments.add("-D" + NativeLibrary.PROPERTY + "=" + NativeLibrary.compile(folder));
            library = true;
        } catch (NativeLibrary.Unavailable e) {
            impossible.put(NEEDS_LIBRARY, e.getMessage());
        }
        if (Runtime.version().feature() >= 24) {
            arguments.add("--sun-misc-unsafe-memory-access=allow");
        }
        if (!ExchangeUnsafe.works()) {
            impossible.put(NEEDS_UNSAFE, "this JDK's Unsafe cannot access memory");
        }
        String more = System.getenv("DXNET_JAVA_OPTS");
        if (more != null && !more.isBlank()) {
            arguments.addAll(List.of(more.strip().split("\\s+")));
        }
        return new ForkOptions(arguments, impossible, library);
    }

    boolean hasLibrary() {
        return library;
    }

    /** Prepended, so that a benchmark's own {@code jvmArgsAppend} and the user's stay in force. */
    ChainedOptionsBuilder add(ChainedOptionsBuilder options) {
        options.jvmArgsPrepend(jvmArguments.toArray(String[]::new)).shouldFailOnError(true);
        impossible.keySet().forEach(options::exclude);
        if (!library) {
            // The other callee is in the library.
            options.param("callee", "EMPTY");
        }
        return options;
    }

    /** Prints the name of each benchmark that does not run, with the reason. */
    void printSkipped(Collection<String> includes) {
        for (String name : names(includes)) {
            impossible.forEach((pattern, reason) -> {
                if (Pattern.compile(pattern).matcher(name).find()) {
                    System.out.println("skipped: " + name + ": " + reason);
                }
            });
        }
    }

    /** The benchmarks that match one of the patterns; all where there are none. */
    static List<String> names(Collection<String> includes) {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        return BenchmarkList.defaultList().getAll(silent, List.of()).stream()
                .map(BenchmarkListEntry::getUsername)
                .filter(name -> includes.isEmpty()
                        || includes.stream()
                                .anyMatch(each ->
                                        Pattern.compile(each).matcher(name).find()))
                .toList();
    }
}
