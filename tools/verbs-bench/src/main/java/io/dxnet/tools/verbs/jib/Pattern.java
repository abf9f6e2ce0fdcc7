package io.dxnet.tools.verbs.jib;

/** What is measured: the benchmarks of the JIB suite (paper, section III). */
enum Pattern {
    /** One end sends as fast as it can. */
    UNI("uni", "uni-directional throughput"),
    /** Both ends do. */
    BI("bi", "bi-directional throughput"),
    /** One operation at a time, from posting it to its completion. */
    LATENCY("latency", "one-sided latency"),
    /** A message and its answer. */
    PING_PONG("pingpong", "ping-pong latency (full round trip)");

    private final String label;
    private final String title;

    Pattern(String label, String title) {
        this.label = label;
        this.title = title;
    }

    String label() {
        return label;
    }

    String title() {
        return title;
    }

    boolean isLatency() {
        return this == LATENCY || this == PING_PONG;
    }

    /** Messages in both directions. */
    boolean isTwoWay() {
        return this == BI || this == PING_PONG;
    }

    @Override
    public String toString() {
        return label;
    }
}
