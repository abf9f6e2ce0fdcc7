package io.dxnet.transport.handshake;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;

/**
 * The bytes of a socket channel, with a time limit for reads as long as the channel is in blocking
 * mode: the handshake of the opening node. One thread, until the limit ends.
 */
final class TimedChannel implements ByteChannel {
    private final SocketChannel socket;
    private final InputStream in;
    private final long deadlineNs;
    private volatile boolean limited = true; // the connecting thread

    /** For a channel that is connected. */
    TimedChannel(SocketChannel socket, long deadlineNs) throws IOException {
        this.socket = socket;
        this.in = socket.socket().getInputStream();
        this.deadlineNs = deadlineNs;
    }

    SocketChannel socket() {
        return socket;
    }

    /** The handshake is done: from here on, it is the channel. */
    void endLimit() throws IOException {
        limited = false;
        socket.socket().setSoTimeout(0);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        if (!limited) {
            return socket.read(target);
        }
        socket.socket().setSoTimeout(Connector.leftMs(deadlineNs));
        int bytes = in.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
        if (bytes > 0) {
            target.position(target.position() + bytes);
        }
        return bytes;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return socket.write(source);
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
