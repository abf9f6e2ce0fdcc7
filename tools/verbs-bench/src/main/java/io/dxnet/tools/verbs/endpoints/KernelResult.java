package io.dxnet.tools.verbs.endpoints;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What came of an application kernel.
 *
 * @param kernel which
 * @param category how resources were shared
 * @param layout processes of a node and threads of each, as {@code 4.4}
 * @param threads of all nodes
 * @param messages of all threads
 * @param nanos from the beginning to the last one's end
 * @param wrong numbers of the result that were wrong
 * @param resources of all endpoints
 */
record KernelResult(
        Kernel kernel,
        Category category,
        String layout,
        int threads,
        long messages,
        long nanos,
        long wrong,
        Resources resources) {
    /** The application kernels. */
    enum Kernel {
        /** Get, compute, put. */
        GLOBAL_ARRAY("global array"),
        /** Halo exchange. */
        STENCIL("5-pt stencil");

        private final String label;

        Kernel(String label) {
            this.label = label;
        }

        @Override
        public String toString() {
            return label;
        }
    }

    double messagesPerSecond() {
        return messages * 1e9 / nanos;
    }

    /** As an object for JSON. */
    Map<String, Object> toMap() {
        Map<String, Object> o = new LinkedHashMap<>();
        o.put("benchmark", kernel.toString());
        o.put("category", category.label());
        o.put("threads", threads);
        o.put("layout", layout);
        o.put("messages", messages);
        o.put("messagesPerSecond", messagesPerSecond());
        o.put("seconds", nanos / 1e9);
        o.put("wrong", wrong);
        o.put("resources", resources.toMap());
        return o;
    }
}
