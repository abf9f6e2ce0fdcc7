package io.dxnet.tools.verbs.jib;

import io.dxnet.tools.verbs.Payload;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Compares a stream that arrives in pieces with the messages that it should be. One thread. */
final class TcpStreamCheck {
    private final MemorySegment received;
    private final MemorySegment expected;
    private RunSpec spec;
    private long number;
    private int offset;
    private boolean wrong;
    private long corrupt;

    TcpStreamCheck(ByteBuffer receiving, int bytesMax) {
        received = MemorySegment.ofBuffer(receiving.duplicate().clear());
        expected = MemorySegment.ofArray(new byte[bytesMax]);
    }

    void begin(RunSpec newSpec) {
        spec = newSpec;
        number = 0;
        offset = 0;
        wrong = false;
        corrupt = 0;
        Payload.fill(expected, 0, spec.point().size(), spec.seed(), 0);
    }

    /** So many bytes are at the beginning of the buffer. */
    void arrived(int count) {
        int size = spec.point().size();
        for (int at = 0; at < count; ) {
            int length = Math.min(size - offset, count - at);
            wrong |= MemorySegment.mismatch(received, at, at + length, expected, offset, offset + length) >= 0;
            at += length;
            offset += length;
            if (offset == size) {
                corrupt += wrong ? 1 : 0;
                wrong = false;
                offset = 0;
                number++;
                Payload.fill(expected, 0, size, spec.seed(), number);
            }
        }
    }

    long checked() {
        return number;
    }

    long corrupt() {
        return corrupt;
    }
}
