package io.dxnet.runtime.receive;

import io.dxnet.runtime.peer.IncomingStream;
import io.dxnet.runtime.peer.PeerConnection;
import io.dxnet.runtime.thread.Counter;
import io.dxnet.runtime.wire.HeaderDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Where the message creation coordinator is in a connection's incoming stream, between two buffers.
 */
public final class StreamState implements IncomingStream {
    private static final VarHandle SPLIT_END;

    static {
        try {
            SPLIT_END = MethodHandles.lookup().findVarHandle(StreamState.class, "splitEnd", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The first bytes of a header that was cut. */
    final MemorySegment header = MemorySegment.ofArray(new byte[HeaderDescriptor.BYTES]);

    /** How many of them there are. */
    int headerBytes;

    /** A message whose header is known and whose payload is not whole, or not handed over yet. */
    @Nullable
    SplitMessage split;

    /** Nothing that follows is to be read: the peer broke the protocol, or sent its goodbye. */
    boolean ended;

    /** How many bytes of the stream belong to each epoch. */
    final Epochs epochs = new Epochs();

    /** Bytes of the buffers that the coordinator has finished. Any thread reads it. */
    final Counter finished = new Counter();

    private long splitEnd; // the coordinator

    static StreamState of(PeerConnection connection) {
        return (StreamState) connection.stream();
    }

    @Override
    public long finishedBytes() {
        return finished.get();
    }

    /**
     * Where in the stream {@link #split} ends. Any thread; may be of a later
     * message than another thread thinks.
     */
    long splitEnd() {
        return (long) SPLIT_END.getAcquire(this);
    }

    void splitEnd(long end) {
        SPLIT_END.setRelease(this, end);
    }
}
