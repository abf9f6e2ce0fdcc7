package io.dxnet.tools.bench;

/** What made the benchmark fail, noticed by any thread and looked at by the one that waits. */
final class Failure {
    private volatile String what;

    /** The first one counts. */
    synchronized void fail(String message) {
        if (what == null) {
            what = message;
        }
    }

    void check() throws BenchException {
        if (what != null) {
            throw new BenchException(what);
        }
    }
}
