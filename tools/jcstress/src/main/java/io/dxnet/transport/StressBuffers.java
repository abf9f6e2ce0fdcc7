package io.dxnet.transport;

import java.lang.foreign.MemorySegment;

/**
 * Received buffers without a pool, on the heap, for the tests of the queues that they pass through.
 */
public final class StressBuffers {
    private StressBuffers() {}

    /** A buffer that is filled with that many bytes. */
    public static IncomingBuffer of(int length) {
        IncomingBuffer buffer = new IncomingBuffer(back -> {}, MemorySegment.ofArray(new byte[length]));
        buffer.length(length);
        return buffer;
    }
}
