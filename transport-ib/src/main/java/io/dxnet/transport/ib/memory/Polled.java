package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.CompletionQueue;

/** A queue pair's completions, as {@link MemoryThread} processes them. */
interface Polled {
    /** {@return its completion queue} */
    CompletionQueue queue();

    /** Processes the completions that are there. {@return whether there were any} The thread. */
    boolean poll();

    /** Arms the completion queue, unless it is armed or gone. The thread. */
    void arm();

    /** The completion queue was announced, so that it is not armed any more. The thread. */
    void fired();

    /**
     * Fails operations at their deadlines.
     *
     * @param nowNs {@code System.nanoTime}
     * @return the next deadline, at most the given limit
     */
    long expire(long nowNs, long limitNs);

    /** Ends the access. Any thread. */
    void close();
}
