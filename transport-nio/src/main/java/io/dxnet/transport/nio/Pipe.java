package io.dxnet.transport.nio;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One direction of a connection, as the selector agent drives it: the attachment of its key. */
interface Pipe {
    /** Why a connection failed where an error interrupted a read: what was read is lost. */
    String READ_INTERRUPTED = "reading failed: an error interrupted it";

    NioConnection owner();

    PipeChannel channel();

    /**
     * Reads and writes what the channel is ready for.
     *
     * @param operations of {@link java.nio.channels.SelectionKey}
     * @param scratch a direct buffer
     */
    void ready(int operations, ByteBuffer scratch) throws IOException;

    /** Reads what the selector does not report, if there is any. */
    void readBuffered(ByteBuffer scratch) throws IOException;

    /** Reads bytes and drops them, until the other node hangs up. */
    void discard(ByteBuffer scratch);
}
