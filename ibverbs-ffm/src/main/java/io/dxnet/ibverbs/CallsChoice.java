package io.dxnet.ibverbs;

import io.dxnet.ibverbs.spi.VerbsCalls;
import java.util.List;
import java.util.ServiceLoader;
import java.util.ServiceLoader.Provider;

/**
 * Chooses how verbs are called in this JVM: by {@code java.lang.foreign}
 * unless another way is named.
 */
final class CallsChoice {
    /** The name of a {@link VerbsCalls}; without it the binding's own calls. */
    static final String PROPERTY = "io.dxnet.ibverbs.calls";

    private CallsChoice() {}

    /**
     * The calls that the property names, prepared; null for the binding's own.
     *
     * @throws UnsupportedOperationException if there are none of that name,
     *     or they cannot work here
     */
    static VerbsCalls chosen() {
        String name = System.getProperty(PROPERTY);
        return name == null ? null : named(name, installed());
    }

    private static List<VerbsCalls> installed() {
        return ServiceLoader.load(VerbsCalls.class, CallsChoice.class.getClassLoader()).stream()
                .map(Provider::get)
                .toList();
    }

    static VerbsCalls named(String name, List<VerbsCalls> all) {
        for (VerbsCalls each : all) {
            if (each.name().equals(name)) {
                each.prepare();
                return each;
            }
        }
        List<String> names = all.stream().map(VerbsCalls::name).toList();
        throw new UnsupportedOperationException("-D" + PROPERTY + "=" + name
                + ": no such way to call verbs is on the class path or module path"
                + (names.isEmpty() ? "" : ", only " + String.join(", ", names)));
    }
}
