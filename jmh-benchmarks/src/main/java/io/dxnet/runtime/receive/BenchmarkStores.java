package io.dxnet.runtime.receive;

import io.dxnet.transport.IncomingBuffer;

/** What the coordinator does with a run of messages, for benchmarks of handlers. */
public final class BenchmarkStores {
    private BenchmarkStores() {}

    /** Hands a buffer's messages over as one run. */
    public static void offer(HeaderStores stores, IncomingBuffer buffer) {
        if (!stores.shared.offerRun(buffer, 0, buffer.length(), 0)) {
            throw new IllegalStateException("the store is full");
        }
    }
}
