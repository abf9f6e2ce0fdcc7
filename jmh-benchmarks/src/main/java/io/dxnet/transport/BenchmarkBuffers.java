package io.dxnet.transport;

import java.lang.foreign.Arena;

/** Received buffers without a pool, for the benchmarks of the queues that they pass through. */
public final class BenchmarkBuffers {
    private BenchmarkBuffers() {}

    /** A buffer that is filled with that many bytes. */
    public static IncomingBuffer of(int length) {
        IncomingBuffer buffer = new IncomingBuffer(back -> {}, Arena.global().allocate(length));
        buffer.length(length);
        return buffer;
    }
}
