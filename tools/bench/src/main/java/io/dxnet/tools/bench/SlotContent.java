package io.dxnet.tools.bench;

import io.dxnet.tools.payload.SeededBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The bytes of a slot with {@code --verify}: each follows from a stream key, a number and its
 * place. Used by one thread.
 */
final class SlotContent {
    /** Bytes copied at once; a multiple of 8. */
    private static final int PIECE = 8192;

    private final byte[] piece = new byte[PIECE];

    void fill(MemorySegment slot, long key, long number) {
        for (long place = 0; place < slot.byteSize(); place += PIECE) {
            int length = (int) Math.min(PIECE, slot.byteSize() - place);
            SeededBytes.fill(piece, 0, length, SeededBytes.seed(key, number), place);
            MemorySegment.copy(piece, 0, slot, ValueLayout.JAVA_BYTE, place, length);
        }
    }

    boolean matches(MemorySegment slot, long key, long number) {
        boolean matches = true;
        for (long place = 0; place < slot.byteSize(); place += PIECE) {
            int length = (int) Math.min(PIECE, slot.byteSize() - place);
            MemorySegment.copy(slot, ValueLayout.JAVA_BYTE, place, piece, 0, length);
            matches &= SeededBytes.matches(piece, 0, length, SeededBytes.seed(key, number), place);
        }
        return matches;
    }
}
