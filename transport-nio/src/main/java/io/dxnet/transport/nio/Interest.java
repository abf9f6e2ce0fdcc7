package io.dxnet.transport.nio;

/**
 * The operation interests of EthDXNet (DXNet Table III), one bit each, in the order in which they
 * are applied. They are hints: what is to be done is in the connection's state, so an interest that
 * is posted twice, or reaches another connection to the same node, does no harm.
 */
final class Interest {
    /** Register the outgoing channel. */
    static final int CONNECT = 1;
    /** Read flow-control bytes from the outgoing channel. */
    static final int READ_FC = 1 << 1;
    /** Register the incoming channel and read data from it. */
    static final int READ = 1 << 2;
    /** Write flow-control bytes to the incoming channel. */
    static final int WRITE_FC = 1 << 3;
    /** Write the ring's data to the outgoing channel. */
    static final int WRITE = 1 << 4;
    /** The connection ends: it was closed, or it failed. */
    static final int CLOSE = 1 << 5;

    private Interest() {}
}
