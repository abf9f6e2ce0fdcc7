package io.dxnet.tools.bench.nodes;

import io.dxnet.tools.cli.ToolException;

/** What made the benchmark fail: set by any thread, checked by the thread that waits. */
public final class Failure {
    private volatile String what;

    /** Nothing has failed. */
    public Failure() {}

    /**
     * Notes a failure; the first one counts.
     *
     * @param message for the user
     */
    public synchronized void fail(String message) {
        if (what == null) {
            what = message;
        }
    }

    /**
     * Throws if a failure was set.
     *
     * @throws ToolException with what failed
     */
    public void check() {
        if (what != null) {
            throw new ToolException(what);
        }
    }
}
