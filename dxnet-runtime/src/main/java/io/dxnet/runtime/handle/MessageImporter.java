package io.dxnet.runtime.handle;

import io.dxnet.runtime.receive.SplitMessage;
import io.dxnet.runtime.wire.SegmentImporter;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Reads one message from where it was received: from one buffer, or from several
 * (DXNet §V-B). Belongs to one handler.
 */
final class MessageImporter extends SegmentImporter {
    private @Nullable SplitMessage split;
    private int piece;

    void begin(MemorySegment buffer, int offset, int bytes) {
        segment = buffer;
        position = offset;
        limit = (long) offset + bytes;
        beyond = 0;
    }

    /** Starts a split message; its trailer, if it has one, is not part of what is read. */
    void begin(SplitMessage message, int bytes) {
        split = message;
        piece = -1;
        segment = MemorySegment.NULL; // an empty array may be read from it
        position = 0;
        limit = 0;
        beyond = bytes;
    }

    void end() {
        split = null;
        segment = MemorySegment.NULL;
    }

    @Override
    @SuppressWarnings("NullAway") // only a split message has bytes beyond a piece
    protected void nextPiece() {
        piece++;
        segment = split.buffer(piece).segment();
        position = split.offset(piece);
        int bytes = Math.min(split.bytes(piece), beyond);
        limit = position + bytes;
        beyond -= bytes;
    }
}
