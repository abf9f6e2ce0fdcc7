package io.dxnet.tools.example.log;

/** Learns which followers have the log. Called by the thread of each follower. */
interface LogListener {
    /**
     * The writer has attached to a follower.
     *
     * @param node the follower
     * @param next the entry that it needs next
     */
    void attached(int node, long next);

    /**
     * The writer cannot write to a follower, and tries to attach again until it can. Called again
     * where it reaches the follower, but their logs do not fit together.
     *
     * @param node the follower
     * @param cause why
     */
    void lost(int node, Exception cause);
}
