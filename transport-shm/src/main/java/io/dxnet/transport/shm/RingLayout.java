package io.dxnet.transport.shm;

import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * The layout of the memory that two processes share for one direction of a connection; in the
 * machine's byte order. Each word has a cache line pair of its own, so that a word that one side
 * writes often does not slow down the other side's.
 *
 * <pre>
 *  offset  word               written by
 *       0  magic, version     the sender, before the receiver has the memory
 *       8  capacity, bytes    the sender, before the receiver has the memory
 *     128  tail               the sender: all before it may be read
 *     256  head               the receiver: all before it may be overwritten
 *     384  receiver sleeps    the receiver sets it before it sleeps, the sender clears it
 *     512  sender sleeps      the sender sets it before it sleeps, the receiver clears it
 *     640  steps              the receiver: confirmed steps of flow control, a sum
 *     648  signals            the receiver adds bits, the sender removes them
 *    4096  the ring           the sender; capacity bytes, a power of two
 * </pre>
 *
 * <p>Tail and head are positions in the stream: they only grow, and their place in the ring is
 * their remainder. Neither side believes the other's words: see {@link RingWriter} and
 * {@link RingReader}.
 */
final class RingLayout {
    /** "DXNetShm" and the version in the last byte. */
    static final long MAGIC = 0x44584E6574_536801L;

    static final long MAGIC_OFFSET = 0;
    static final long CAPACITY_OFFSET = 8;
    static final long TAIL_OFFSET = 128;
    static final long HEAD_OFFSET = 256;
    static final long RECEIVER_SLEEPS_OFFSET = 384;
    static final long SENDER_SLEEPS_OFFSET = 512;
    static final long STEPS_OFFSET = 640;
    static final long SIGNALS_OFFSET = 648;
    static final long RING_OFFSET = 4096;

    static final int CAPACITY_MIN = 4096;
    static final int CAPACITY_MAX = 1 << 30;

    /** A word of the layout: coordinates are the memory and an offset. */
    static final VarHandle WORD = ValueLayout.JAVA_LONG.varHandle();

    private RingLayout() {}

    /** Returns the size of the memory for a ring. */
    static long bytes(int capacity) {
        return RING_OFFSET + capacity;
    }

    /** Returns whether a ring may have so many bytes. */
    static boolean isCapacity(long bytes) {
        return bytes >= CAPACITY_MIN && bytes <= CAPACITY_MAX && Long.bitCount(bytes) == 1;
    }
}
