package io.dxnet.runtime.receive;

import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.transport.IncomingBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a handler polls from the {@link MessageHeaderStore}: a run of whole messages in one buffer,
 * or one message that was split over buffers. Each handler has one and fills it again and again.
 */
public final class Batch {
    /** The buffer of a run; null for a split message. */
    @SuppressWarnings("NullAway.Init") // by poll(); null for a split message alone
    IncomingBuffer buffer;
    /** Where the run begins in the buffer. */
    int start;
    /** Where the run ends. */
    int end;
    /** The {@link Epochs epoch} of its messages. */
    public int epoch;
    /** The split message; null for a run. */
    @Nullable
    SplitMessage split;

    public IncomingBuffer buffer() {
        return buffer;
    }

    public int start() {
        return start;
    }

    public int end() {
        return end;
    }

    public @Nullable SplitMessage split() {
        return split;
    }

    /** {@return the connection that its messages came by; as long as it is not released} */
    public PeerConnection connection() {
        return split != null ? split.connection() : (PeerConnection) buffer.connection();
    }

    /** Releases its buffers. */
    void discard() {
        if (split != null) {
            split.discard();
        } else {
            buffer.release();
        }
    }
}
