package io.dxnet.transport.ib;

/**
 * The 32 bits of immediate data that every message of a queue pair carries (Ibdxnet §7.2.3):
 * what the sender confirms, and its node id, so that the receiver of a shared receive queue needs
 * no map from queue pairs to nodes.
 *
 * <pre>
 *   31            24 23                             8 7             0
 *  +----------------+--------------------------------+---------------+
 *  |  signals       |  node id of the sender         |  flow control |
 *  +----------------+--------------------------------+---------------+
 * </pre>
 *
 * <p>Flow control counts steps of the flow control's threshold; signals are the engine's
 * bits ({@link io.dxnet.transport.Connection#takeSignals}). A message without payload
 * carries nothing but this word.
 */
final class ImmediateData {
    /** The most steps that one message confirms. */
    static final int STEPS_MAX = 0xFF;

    private static final int SIGNALS_MASK = 0xFF;
    private static final int SIGNALS_SHIFT = 24;
    private static final int NODE_SHIFT = 8;
    private static final int NODE_MASK = 0xFFFF;

    private ImmediateData() {}

    static int of(int nodeId, int steps, int signals) {
        return (signals & SIGNALS_MASK) << SIGNALS_SHIFT | nodeId << NODE_SHIFT | steps;
    }

    static int signals(int immediate) {
        return immediate >>> SIGNALS_SHIFT;
    }

    static int nodeId(int immediate) {
        return immediate >>> NODE_SHIFT & NODE_MASK;
    }

    static int steps(int immediate) {
        return immediate & STEPS_MAX;
    }
}
