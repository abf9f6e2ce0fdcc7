package io.dxnet.runtime.memory;

import io.dxnet.Importer;
import java.lang.foreign.MemorySegment;

/** Where the bytes of a piece are read to, until its operation ends. Any thread. */
final class ReadTarget {
    private final MemorySegment segment;
    private boolean abandoned; // under the monitor, which is held during the copy

    ReadTarget(MemorySegment segment) {
        this.segment = segment;
    }

    int length() {
        return (int) segment.byteSize();
    }

    /** Reads the bytes, into the segment or, where its operation has ended, to nowhere. */
    synchronized void fill(Importer importer) {
        if (abandoned) {
            Bytes.skip(importer, length());
        } else {
            importer.readBytes(segment);
        }
    }

    /** The operation ends: the segment is not written to after this. */
    synchronized void abandon() {
        abandoned = true;
    }
}
