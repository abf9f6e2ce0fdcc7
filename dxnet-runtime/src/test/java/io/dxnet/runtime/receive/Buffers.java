package io.dxnet.runtime.receive;

import io.dxnet.DXNetConfig;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.IncomingBuffer;
import io.dxnet.transport.IncomingBufferPool;
import io.dxnet.transport.ring.OutgoingRingBuffer;
import java.lang.foreign.MemorySegment;

/** Received buffers of a small pool, and connections without a transport. */
public final class Buffers implements AutoCloseable {
    /** What a connection of {@link #connection} confirms at once. */
    static final int STEP_BYTES = 16 << 10;

    public final IncomingBufferPool pool = new IncomingBufferPool(DXNetConfig.builder()
            .smallBuffers(4)
            .mediumBuffers(1)
            .largeBuffers(1)
            .build());

    /** A connection that reports nothing. */
    public static PeerConnection connection(int nodeId) {
        OutgoingRingBuffer ring = new OutgoingRingBuffer(MemorySegment.ofArray(new byte[4096]), 16, 1 << 20);
        return new PeerConnection(nodeId, ring, 1 << 20, STEP_BYTES, 1, null, new StreamState(), new SilentOwner());
    }

    /** Reports nothing; a broken protocol fails the test. */
    public static class SilentOwner implements PeerConnection.Owner {
        @Override
        public void flowControlPosted(PeerConnection connection) {}

        @Override
        public void protocolError(PeerConnection connection, String what) {
            throw new AssertionError(what);
        }

        @Override
        public void released(PeerConnection connection) {}

        @Override
        public void signalsReceived(PeerConnection connection, int signals) {}

        @Override
        public boolean hasRequests(PeerConnection connection) {
            return false;
        }

        @Override
        public long handledMark() {
            return 0;
        }
    }

    /** A buffer that holds some bytes and belongs to the engine. */
    public IncomingBuffer filled(PeerConnection from, byte[] bytes, int offset, int length) {
        IncomingBuffer buffer = pool.take(Math.max(1, length));
        MemorySegment.copy(MemorySegment.ofArray(bytes), offset, buffer.segment(), 0, length);
        buffer.length(length);
        buffer.handOver(from);
        from.queuedBuffers().incrementAndGet();
        return buffer;
    }

    /** Hands all of a buffer to the handlers, as the coordinator does. */
    public static void offer(HeaderStores stores, IncomingBuffer buffer) {
        if (!stores.shared().offerRun(buffer, 0, buffer.length(), 0)) {
            throw new AssertionError("the store is full");
        }
    }

    IncomingBuffer ofLength(int length) {
        return filled(connection(1), new byte[length], 0, length);
    }

    @Override
    public void close() {
        pool.close();
    }
}
