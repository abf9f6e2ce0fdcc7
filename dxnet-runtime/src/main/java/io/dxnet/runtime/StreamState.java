package io.dxnet.runtime;

/** Where the message creation coordinator is in a connection's incoming stream, between two buffers. */
final class StreamState {
    /** The first bytes of a header that was cut. */
    final byte[] header = new byte[HeaderDescriptor.BYTES];

    /** How many of them there are. */
    int headerBytes;

    /** A message whose header is known and whose payload is not whole, or not handed over yet. */
    SplitMessage split;

    /** Nothing that follows is to be read: the peer broke the protocol, or said goodbye. */
    boolean ended;
}
