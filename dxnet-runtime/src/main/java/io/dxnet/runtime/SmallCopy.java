package io.dxnet.runtime;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Copies between byte arrays and segments, for the few dozen bytes of most messages: there, the general copy costs more for its
 * checks and its call than for the bytes.
 */
final class SmallCopy {
    private static final int LOOP_BYTES_MAX = 128;
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN)
            .withInvokeExactBehavior();

    private SmallCopy() {}

    static void toSegment(byte[] from, int offset, MemorySegment to, long at, int length) {
        if (length > LOOP_BYTES_MAX) {
            MemorySegment.copy(from, offset, to, WireFormat.BYTE, at, length);
            return;
        }
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            to.set(WireFormat.LONG, at + i, (long) LONGS.get(from, offset + i));
        }
        for (; i < length; i++) {
            to.set(WireFormat.BYTE, at + i, from[offset + i]);
        }
    }

    static void fromSegment(MemorySegment from, long at, byte[] to, int offset, int length) {
        if (length > LOOP_BYTES_MAX) {
            MemorySegment.copy(from, WireFormat.BYTE, at, to, offset, length);
            return;
        }
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            LONGS.set(to, offset + i, from.get(WireFormat.LONG, at + i));
        }
        for (; i < length; i++) {
            to[offset + i] = from.get(WireFormat.BYTE, at + i);
        }
    }
}
