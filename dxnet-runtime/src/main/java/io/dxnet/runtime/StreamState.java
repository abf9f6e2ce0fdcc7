package io.dxnet.runtime;

import java.lang.foreign.MemorySegment;

/** Where the message creation coordinator is in a connection's incoming stream, between two buffers. */
final class StreamState {
    /** The first bytes of a header that was cut. */
    final MemorySegment header = MemorySegment.ofArray(new byte[HeaderDescriptor.BYTES]);

    /** How many of them there are. */
    int headerBytes;

    /** A message whose header is known and whose payload is not whole, or not handed over yet. */
    SplitMessage split;

    /** Nothing that follows is to be read: the peer broke the protocol, or said goodbye. */
    boolean ended;
}
