package io.dxnet.runtime.wire;

import java.lang.foreign.MemorySegment;

/**
 * Where an exporter or importer is: in the current contiguous piece of memory of
 * a message. One thread at a time.
 */
abstract class SegmentCursor {
    /** The memory that the current piece lies in. */
    @SuppressWarnings("NullAway.Init") // before position is less than limit
    protected MemorySegment segment;

    /** Offset in {@link #segment} of the next byte. */
    protected long position;

    /** Offset in {@link #segment} where the piece, or the message in it, ends. */
    protected long limit;

    /**
     * Sets {@link #segment}, {@link #position} and {@link #limit} to the next piece, at least
     * one byte. Called when position is limit and at least one more byte is to come.
     */
    protected abstract void nextPiece();

    /**
     * Consumes the next bytes of the piece.
     *
     * @return their offset; -1, and nothing is consumed, when the piece ends before
     */
    final long take(int bytes) {
        long at = position;
        long end = at + bytes;
        if (end > limit) {
            return -1;
        }
        position = end;
        return at;
    }
}
