package io.dxnet.runtime.peer;

/**
 * What the message creation coordinator keeps for a connection: its place in the incoming stream.
 */
public interface IncomingStream {
    /** {@return the bytes of the buffers that the coordinator has finished} Any thread. */
    long finishedBytes();
}
