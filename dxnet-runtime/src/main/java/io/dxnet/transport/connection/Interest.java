package io.dxnet.transport.connection;

/**
 * The operation interests of a connection (DXNet Table III), one bit each. They are hints: what is
 * to be done is in the connection's state, so an interest that is posted twice, or reaches another
 * connection to the same node, does no harm.
 */
public final class Interest {
    /** A direction was opened: register its channel (CONNECT and the first READ of Table III). */
    public static final int OPENED = 1;
    /** Read what a channel has in this process: its selector does not report that. */
    public static final int READ = 1 << 1;
    /** Send confirmations and signals (WRITE_FC of Table III). */
    public static final int FLOW_CONTROL = 1 << 2;
    /** Send the ring's data. */
    public static final int WRITE = 1 << 3;
    /** The connection ends: it was closed, or it failed. */
    public static final int CLOSE = 1 << 4;

    private Interest() {}
}
