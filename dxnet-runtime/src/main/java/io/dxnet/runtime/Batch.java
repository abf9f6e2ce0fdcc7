package io.dxnet.runtime;

import io.dxnet.transport.IncomingBuffer;

/**
 * What a handler takes from the {@link MessageHeaderStore}: a run of whole messages in one buffer, or one message that was
 * split over buffers. Each handler has one and fills it again and again.
 */
final class Batch {
    /** The buffer of a run; null for a split message. */
    IncomingBuffer buffer;
    /** Where the run begins in the buffer. */
    int start;
    /** Where it ends. */
    int end;
    /** The split message; null for a run. */
    SplitMessage split;

    /** Releases its buffers. */
    void discard() {
        if (split != null) {
            split.discard();
        } else {
            buffer.release();
        }
    }
}
