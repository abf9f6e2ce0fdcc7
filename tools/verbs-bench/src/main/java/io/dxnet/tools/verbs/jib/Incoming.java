package io.dxnet.tools.verbs.jib;

import io.dxnet.ibverbs.WorkCompletion;

/** The messages that arrive at one end in a run. One thread. */
interface Incoming {
    /** How many have arrived. */
    long received();

    /** Whether all have arrived and nothing of this run is under way any more. */
    boolean done();

    /**
     * Polls for what arrives without a completion, and posts what
     * is due; returns whether it found or posted anything.
     */
    boolean poll();

    /** A receive is complete. */
    void completed(WorkCompletion completion);

    /** An own request that was not a message is complete. */
    void creditSent();

    Outcome outcome();
}
