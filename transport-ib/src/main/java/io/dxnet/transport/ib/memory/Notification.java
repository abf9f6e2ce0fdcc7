package io.dxnet.transport.ib.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** The message behind a write that it reports: offset, length, value; little endian. */
final class Notification {
    static final int BYTES = 20;

    private static final int LENGTH_OFFSET = 8;
    private static final int VALUE_OFFSET = 16;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Notification() {}

    static void write(MemorySegment into, long offset, long length, int value) {
        into.set(LONG, 0, offset);
        into.set(LONG, LENGTH_OFFSET, length);
        into.set(INT, VALUE_OFFSET, value);
    }

    static long offset(MemorySegment from, long at) {
        return from.get(LONG, at);
    }

    static long length(MemorySegment from, long at) {
        return from.get(LONG, at + LENGTH_OFFSET);
    }

    static int value(MemorySegment from, long at) {
        return from.get(INT, at + VALUE_OFFSET);
    }
}
