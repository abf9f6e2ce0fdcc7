package io.dxnet.tools.bench.nodes;

/** What made the benchmark fail, noticed by any thread and looked at by the one that waits. */
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
     * Looks.
     *
     * @throws BenchException with what failed
     */
    public void check() throws BenchException {
        if (what != null) {
            throw new BenchException(what);
        }
    }
}
