package io.dxnet.runtime.send;

/** Senders' records for benchmarks. */
public final class BenchmarkSenders {
    private BenchmarkSenders() {}

    /** The record of the calling thread, of an engine of its own. */
    public static SenderThread current() {
        return new SenderThreads().current();
    }
}
