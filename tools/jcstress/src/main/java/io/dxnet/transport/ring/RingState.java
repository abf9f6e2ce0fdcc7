package io.dxnet.transport.ring;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * What the ring's tests share: a small ring on the heap (jcstress
 * makes many thousands of them) and regions of one byte.
 */
abstract class RingState {
    static final long WIDE_WINDOW = 1L << 40;
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

    final OutgoingRingBuffer ring;

    RingState(int capacity, int commitSlots) {
        this(capacity, commitSlots, WIDE_WINDOW);
    }

    RingState(int capacity, int commitSlots, long window) {
        // Just below the wrap of positions, so that it is part of every test.
        ring = new OutgoingRingBuffer(
                MemorySegment.ofArray(new byte[capacity]), commitSlots, window, RingDescriptor.POSITION_MASK);
    }

    /** Claims a byte; retries until that succeeds. */
    final long claim() {
        for (; ; ) {
            long claim = ring.tryClaim(1, Window.OBSERVED);
            if (claim >= 0) {
                return claim;
            }
            Thread.onSpinWait();
        }
    }

    /** Writes the byte and publishes it. */
    final void commit(long claim, int value) {
        ring.segment().set(BYTE, ring.offset(claim), (byte) value);
        ring.commit(claim, 1);
    }

    final void send(int value) {
        commit(claim(), value);
    }

    /**
     * What the consumer sees, as decimal digits: 12 is a 1, then a 2.
     * A region that isn't written shows as a 0 at the end.
     */
    final int readable() {
        int bytes = ring.readable();
        int digits = 0;
        for (int i = 0; i < bytes; i++) {
            digits = digits * 10 + ring.segment().get(BYTE, ring.offset(ring.postedPosition() + i));
        }
        return digits;
    }

    /** Reads the readable bytes and frees them. */
    final int consume() {
        int digits = readable();
        int bytes = ring.readable();
        ring.post(bytes);
        ring.confirm(bytes);
        return digits;
    }

    final int memory(int offset) {
        return ring.segment().get(BYTE, offset);
    }

    /** How many regions were claimed before this one. */
    static int order(long claim) {
        return RingDescriptor.index(claim);
    }
}
