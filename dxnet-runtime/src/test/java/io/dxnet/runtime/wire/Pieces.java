package io.dxnet.runtime.wire;

import io.dxnet.MessagingUsageException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/**
 * The memory of one message, native or on the heap. An exporter and an importer walk
 * over it in pieces cut at random places. A piece is handed out as exactly its own
 * bytes or as a window into all of them.
 */
final class Pieces {
    /** How long pieces are: exactly 1 byte, a few bytes, anything, or everything in one. */
    enum Cut {
        ONE_BYTE,
        TINY,
        RANDOM,
        WHOLE
    }

    private final MemorySegment memory;

    Pieces(int bytes, boolean offHeap) {
        memory = offHeap ? Arena.ofAuto().allocate(Math.max(1, bytes)).asSlice(0, bytes) : heap(new byte[bytes]);
    }

    Pieces(byte[] content, boolean offHeap) {
        this(content.length, offHeap);
        MemorySegment.copy(heap(content), 0, memory, 0, content.length);
    }

    private static MemorySegment heap(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    byte[] content() {
        return memory.toArray(WireFormat.BYTE);
    }

    Out out(Cut cut, Random random) {
        return new Out(this, cut, random);
    }

    In in(Cut cut, Random random) {
        return new In(this, cut, random);
    }

    private int length(int left, Cut cut, Random random) {
        int length = switch (cut) {
            case ONE_BYTE -> 1;
            case TINY -> 1 + random.nextInt(12);
            case RANDOM -> 1 + random.nextInt(1 + random.nextInt(left));
            case WHOLE -> left;
        };
        return Math.min(left, length);
    }

    /**
     * An exporter that stops at the end of the memory, as the engine's does at the announced size.
     */
    static final class Out extends SegmentExporter {
        private final Pieces pieces;
        private final Cut cut;
        private final Random random;
        private int end;

        private Out(Pieces pieces, Cut cut, Random random) {
            this.pieces = pieces;
            this.cut = cut;
            this.random = random;
            this.segment = pieces.memory.asSlice(0, 0);
        }

        @Override
        protected void nextPiece() {
            if (position != limit) {
                throw new AssertionError("next piece with " + (limit - position) + " bytes left in this one");
            }
            int left = (int) pieces.memory.byteSize() - end;
            if (left == 0) {
                throw new MessagingUsageException("more than announced");
            }
            int bytes = pieces.length(left, cut, random);
            boolean window = random.nextBoolean();
            segment = window ? pieces.memory : pieces.memory.asSlice(end, bytes);
            position = window ? end : 0;
            limit = position + bytes;
            end += bytes;
        }

        int written() {
            return end - (int) (limit - position);
        }
    }

    /** An importer of the whole memory. */
    static final class In extends SegmentImporter {
        private final Pieces pieces;
        private final Cut cut;
        private final Random random;
        private int end;

        private In(Pieces pieces, Cut cut, Random random) {
            this.pieces = pieces;
            this.cut = cut;
            this.random = random;
            this.segment = pieces.memory.asSlice(0, 0);
            this.beyond = (int) pieces.memory.byteSize();
            if (beyond > 0 && random.nextBoolean()) {
                nextPiece();
            }
        }

        @Override
        protected void nextPiece() {
            if (position != limit || beyond <= 0) {
                throw new AssertionError(
                        "next piece with " + (limit - position) + " bytes left, " + beyond + " beyond");
            }
            int bytes = pieces.length(beyond, cut, random);
            boolean window = random.nextBoolean();
            segment = window ? pieces.memory : pieces.memory.asSlice(end, bytes);
            position = window ? end : 0;
            limit = position + bytes;
            end += bytes;
            beyond -= bytes;
        }
    }
}
