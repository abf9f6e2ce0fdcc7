package io.dxnet.tools.bench;

import io.dxnet.tools.bench.nodes.Transports;
import java.util.List;

/**
 * How this JVM calls the verbs of transport ib. {@code ./dxnet} sets the properties that decide it,
 * from {@code --binding}; processes of other nodes inherit them.
 */
final class Binding {
    static final String FFM = "ffm";
    private static final List<String> NAMES = List.of(FFM, "jni", "upcall");

    /** Names the calls that replace the binding's own. */
    private static final String CALLS = "io.dxnet.ibverbs.calls";

    /** {@code never}: through C, also where the device is Java in this JVM. */
    private static final String LOCAL_VERBS = "io.dxnet.ibverbs.localVerbs";

    private Binding() {}

    /** What the properties of this JVM choose; null where they choose nothing. */
    static String chosen() {
        String calls = System.getProperty(CALLS);
        return calls != null ? calls : "never".equals(System.getProperty(LOCAL_VERBS)) ? FFM : null;
    }

    /**
     * Checks that this JVM was started for a binding.
     *
     * @param name the value of {@code --binding}
     * @param transports that are measured
     * @throws IllegalArgumentException where it was not, where there is no such
     *     binding, and where no verbs are called
     */
    static void require(String name, List<String> transports) {
        if (!NAMES.contains(name)) {
            throw new IllegalArgumentException("--binding " + name + ": allowed are " + String.join(", ", NAMES));
        }
        if (!transports.equals(List.of(Transports.IB))) {
            throw new IllegalArgumentException(
                    "--binding " + name + ": only transport ib calls verbs, add --transport ib");
        }
        if (!name.equals(chosen())) {
            throw new IllegalArgumentException("--binding " + name
                    + ": this Java was not started for it; ./dxnet bench does that, with one --binding");
        }
    }
}
