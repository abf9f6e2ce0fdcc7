package io.dxnet.transport.shm;

import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * The TCP channel of a direction: its bytes mean nothing but that there is something in the shared
 * memory, and its end is the end of the other process, or of its use of the direction. The agent,
 * except where a method states otherwise.
 */
final class SideChannel {
    /** Reads of one {@link #drain}; the rest is for the next turn. */
    private static final int READS_MAX = 4;

    private final ByteStream socket;
    private final ByteBuffer word = ByteBuffer.allocateDirect(1); // under its monitor
    private SelectionKey key;
    private boolean ended;
    private boolean shutDown;

    SideChannel(ByteStream socket) {
        this.socket = socket;
    }

    /** Registers the channel, once. */
    void register(Selector selector, Object attachment) throws ClosedChannelException {
        if (key == null) {
            key = socket.socket().register(selector, SelectionKey.OP_READ, attachment);
        }
    }

    /**
     * Wakes the other node up. Where the channel accepts no byte, there are enough in it. Any
     * thread.
     *
     * @throws IOException when the channel is broken
     */
    void wakePeer() throws IOException {
        synchronized (word) {
            socket.write(word.clear());
        }
    }

    /**
     * Reads what has arrived and forgets it.
     *
     * @param scratch a direct buffer
     * @return whether the other node hung up
     */
    boolean drain(ByteBuffer scratch) {
        for (int i = 0; i < READS_MAX && !ended; i++) {
            int bytes;
            try {
                bytes = socket.read(scratch.clear());
            } catch (IOException e) {
                bytes = -1; // a reset: the other process is gone
            }
            if (bytes < 0) {
                end();
            } else if (bytes < scratch.capacity()) {
                break;
            }
        }
        return ended;
    }

    private void end() {
        ended = true;
        if (key != null) {
            key.cancel();
        }
    }

    /** Returns whether the other node hung up. */
    boolean hasEnded() {
        return ended;
    }

    /** Hangs up on the other node, which has what was written into the shared memory before. */
    void shutDown() {
        if (!shutDown) {
            try {
                shutDown = socket.endOutput();
            } catch (IOException e) {
                shutDown = true;
                end(); // it is closed, or the other node is gone
            }
        }
    }

    /** Returns whether this node hung up. */
    boolean isShutDown() {
        return shutDown;
    }

    void close() {
        end();
        Channels.closeQuietly(socket);
    }
}
