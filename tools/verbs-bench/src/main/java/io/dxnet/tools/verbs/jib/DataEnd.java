package io.dxnet.tools.verbs.jib;

import org.HdrHistogram.Histogram;

/** One end's part of a run, over verbs or TCP. One thread at a time. */
interface DataEnd {
    /** Prepares this end to receive messages. Both ends do so before either of them begins. */
    void prepare(RunSpec spec, boolean client);

    /**
     * Does this end's part.
     *
     * @param times gets the client's latencies, or null
     */
    Outcome run(Histogram times);

    /** Checks what can be checked only after both ends did their part. */
    Outcome afterwards();
}
