package io.dxnet.tools.verbs.jib;

/** How a message travels. */
enum Transfer {
    /** Send and receive. */
    SEND("send"),
    /** RDMA write. */
    WRITE("write"),
    /** RDMA read: the message travels towards the end that asks. */
    READ("read"),
    /** TCP sockets, non-blocking NIO. */
    TCP("tcp");

    private final String label;

    Transfer(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }

    /** Why there is nothing to measure, or null. */
    String whyNot(Pattern pattern) {
        return this == READ && pattern == Pattern.PING_PONG
                ? "ping-pong over RDMA read is not measured: a read is a round trip by itself, see its one-sided latency"
                : null;
    }

    @Override
    public String toString() {
        return label;
    }
}
