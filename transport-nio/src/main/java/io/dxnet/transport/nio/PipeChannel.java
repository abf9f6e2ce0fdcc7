package io.dxnet.transport.nio;

import io.dxnet.transport.handshake.Channels;
import io.dxnet.transport.tls.ByteStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/**
 * The socket channel of a pipe with the interests of its selection key. The selector agent, where
 * nothing else is specified.
 */
final class PipeChannel {
    /** Reads of one {@link #discard}; the rest is for the next turn. */
    private static final int DISCARD_READS_MAX = 16;

    private final ByteStream socket;
    private SelectionKey key;
    private int operations; // of the key, to change it only where they change; also before there is a key

    PipeChannel(ByteStream socket, int operations) {
        this.socket = socket;
        this.operations = operations;
    }

    void register(Selector selector, Object attachment) throws ClosedChannelException {
        if (key == null) {
            key = socket.socket().register(selector, operations, attachment);
        }
    }

    boolean isRegistered() {
        return key != null;
    }

    /** Adds the operations to the key's interests, or removes them. */
    void operation(int operation, boolean on) {
        int wanted = on ? operations | operation : operations & ~operation;
        if (wanted != operations) {
            operations = wanted;
            if (key != null && key.isValid()) {
                key.interestOps(wanted);
            }
        }
    }

    /** Reads bytes and drops them; returns whether the other node hung up. */
    boolean discard(ByteBuffer scratch) {
        try {
            for (int i = 0; i < DISCARD_READS_MAX; i++) {
                int bytes = socket.read(scratch.clear());
                if (bytes < scratch.capacity()) {
                    return bytes < 0;
                }
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** See {@link NioConnection#probe}. Any thread. */
    void probe() {
        KeepAlive.enable(socket.socket());
    }

    void close() {
        Channels.closeQuietly(socket);
    }
}
