package io.dxnet.tools.verbs.jib;

import io.dxnet.ibverbs.WorkCompletion;

/** The messages that arrive at one end in a run. One thread. */
interface Incoming {
    /** How many have arrived. */
    long received();

    /** Whether all have arrived and nothing of this run is under way any more. */
    boolean done();

    /** Looks for what comes without a completion; says whether anything came. */
    boolean poll();

    /** A receive is complete. */
    void completed(WorkCompletion completion);

    /** An own request that was not a message is complete. */
    void creditSent();

    Outcome outcome();
}
