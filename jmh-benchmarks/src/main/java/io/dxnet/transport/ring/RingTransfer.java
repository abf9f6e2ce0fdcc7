package io.dxnet.transport.ring;

import io.dxnet.jmh.Transfer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.openjdk.jmh.annotations.Param;

/**
 * Messages of 64 bytes from several producers through one ring of
 * bytes to one consumer, which frees them in batches.
 */
public abstract class RingTransfer extends Transfer {
    /** Bytes of the ring of every implementation. */
    public static final int RING_BYTES = 1 << 20;

    /** Bytes of a message: the ring holds whole ones only. */
    public static final int MESSAGE_BYTES = 64;

    /** As many as in the paper, rounded up. */
    private static final int CUB_ENTRIES = 1024;

    private static final long WIDE_WINDOW = 1L << 40;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    @Param({"1", "2", "4", "8", "16", "32", "64", "128"})
    int producers;

    private OutgoingRingBuffer ring;

    /**
     * DXNet's ring: a producer that finishes before its predecessors
     * leaves a note in the catch-up buffer and continues.
     */
    public static class WithCub extends RingTransfer {}

    /** The same ring, but a producer that finishes before its predecessors waits for them. */
    public static class WithoutCub extends RingTransfer {
        @Override
        void commit(OutgoingRingBuffer ring, long claim) {
            int tries = 0;
            while (ring.committedPosition() != RingDescriptor.position(claim)) {
                tries = backOff(tries);
            }
            ring.commit(claim, MESSAGE_BYTES);
        }
    }

    @Override
    protected int workers() {
        return producers;
    }

    @Override
    protected void prepare() {
        MemorySegment memory = Arena.ofShared().allocate(RING_BYTES, MESSAGE_BYTES);
        ring = new OutgoingRingBuffer(memory, CUB_ENTRIES, WIDE_WINDOW);
    }

    @Override
    protected void work(int worker) {
        OutgoingRingBuffer to = ring;
        for (int i = ITEMS / producers; i > 0; i--) {
            int tries = 0;
            long claim = to.tryClaim(MESSAGE_BYTES, Window.OBSERVED);
            while (claim < 0) {
                tries = backOff(tries);
                claim = to.tryClaim(MESSAGE_BYTES, Window.OBSERVED);
            }
            MemorySegment memory = to.segment();
            long at = to.offset(claim);
            for (int j = 0; j < MESSAGE_BYTES; j += Long.BYTES) {
                memory.set(LONG, at + j, i);
            }
            commit(to, claim);
        }
    }

    void commit(OutgoingRingBuffer to, long claim) {
        to.commit(claim, MESSAGE_BYTES);
    }

    @Override
    protected long drive() {
        OutgoingRingBuffer from = ring;
        long sum = 0;
        int tries = 0;
        for (int left = ITEMS; left > 0; ) {
            int bytes = from.readableContiguous();
            if (bytes == 0) {
                tries = backOff(tries);
                continue;
            }
            tries = 0;
            long at = from.offset(from.postedPosition());
            for (int i = 0; i < bytes; i += MESSAGE_BYTES) {
                sum += from.segment().get(LONG, at + i);
            }
            from.post(bytes);
            from.confirm(bytes);
            from.extendWindow(bytes);
            left -= bytes / MESSAGE_BYTES;
        }
        return sum;
    }
}
