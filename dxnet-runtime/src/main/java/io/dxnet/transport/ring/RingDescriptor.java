package io.dxnet.transport.ring;

/**
 * The layout of the two words that producers of an {@link OutgoingRingBuffer} share (DXNet §IV-B:
 * "we store each of those two indexes in one 64-bit long").
 *
 * <pre>
 *   63  62  61          48 47                                             0
 *  +---+---+--------------+------------------------------------------------+
 *  | S | C |  CUB index   |  position in the stream, bytes                 |
 *  +---+---+--------------+------------------------------------------------+
 *
 *   claim word:      front of produce (FP) and front of the CUB (F)
 *   committed word:  front of commit  (FC) and back of the CUB  (B); S and C are 0
 *   S (claim only):  one thread streams a large message: others can't claim
 *   C (claim only):  closed: no thread can claim
 * </pre>
 *
 * Positions only grow; they and the indexes are compared modulo 2^48 and 2^14,
 * so that a wrap after 256 TiB is none.
 */
final class RingDescriptor {
    static final long STREAMING = 1L << 63;
    static final long CLOSED = 1L << 62;
    static final long FLAGS = STREAMING | CLOSED;
    static final int INDEX_SHIFT = 48;
    static final long POSITION_MASK = (1L << INDEX_SHIFT) - 1;
    static final int INDEX_MASK = (1 << 14) - 1;
    /** Half of the indexes, so that full and empty differ. */
    static final int CUB_ENTRIES_MAX = 1 << 13;

    private RingDescriptor() {}

    static long pack(int index, long position) {
        return ((long) (index & INDEX_MASK) << INDEX_SHIFT) | (position & POSITION_MASK);
    }

    static long position(long word) {
        return word & POSITION_MASK;
    }

    static int index(long word) {
        return (int) (word >>> INDEX_SHIFT) & INDEX_MASK;
    }

    /** {@code a - b} for positions that are less than 2^47 apart. */
    static long distance(long a, long b) {
        return (a - b) << (64 - INDEX_SHIFT) >> (64 - INDEX_SHIFT);
    }

    /** Entries between two CUB indexes. */
    static int entries(int front, int back) {
        return (front - back) & INDEX_MASK;
    }
}
