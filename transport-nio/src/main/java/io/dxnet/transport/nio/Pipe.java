package io.dxnet.transport.nio;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One direction of a connection, as the selector agent drives it: the attachment of its key. */
interface Pipe {
    NioConnection owner();

    PipeChannel channel();

    /** Waits for nothing any more, and drops what the engine did not accept. */
    void quiet();

    /**
     * Reads and writes what the channel is ready for.
     *
     * @param operations of {@link java.nio.channels.SelectionKey}
     * @param scratch a direct buffer
     */
    void ready(int operations, ByteBuffer scratch) throws IOException;

    /** Whether there is something to read that the selector does not report. */
    boolean hasBuffered();

    /** Reads bytes and drops them, until the other node hangs up. */
    void discard(ByteBuffer scratch);
}
