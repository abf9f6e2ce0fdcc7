package io.dxnet.transport;

/**
 * The layout of the two words that producers of an {@link OutgoingRingBuffer} share (DXNet §IV-B: "we store each of those two
 * indexes in one 64-bit long").
 *
 * <pre>
 *   63   62            48 47                                             0
 *  +---+-----------------+------------------------------------------------+
 *  | L |  CUB index      |  position in the stream, bytes                 |
 *  +---+-----------------+------------------------------------------------+
 *
 *   claim word:      front of produce (FP) and front of the CUB (F)
 *   committed word:  front of commit  (FC) and back of the CUB  (B); L is 0
 *   L (claim only):  no claims: a large message is being streamed, or the ring is closed
 * </pre>
 *
 * Positions only grow; they and the indexes are compared modulo 2^48 and 2^15, so that a wrap after 256 TiB is none.
 */
final class RingDescriptor {
    static final long LOCKED = 1L << 63;
    static final int INDEX_SHIFT = 48;
    static final long POSITION_MASK = (1L << INDEX_SHIFT) - 1;
    static final int INDEX_MASK = (1 << 15) - 1;
    /** Half of the indexes, so that full and empty differ. */
    static final int CUB_ENTRIES_MAX = 1 << 14;

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
