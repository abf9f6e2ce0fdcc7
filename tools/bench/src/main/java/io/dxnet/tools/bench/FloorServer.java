package io.dxnet.tools.bench;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The other side of {@link Floor}, in a process of its own. A connection begins with 8
 * bytes, mode and size; a stream is read to its end and answered with the number of
 * bytes, a ping-pong returns {@code size} bytes for {@code size} bytes.
 */
final class FloorServer {
    static final int STREAM = 1;
    static final int PING_PONG = 2;
    /** What the server prints before its port. */
    static final String PORT = "floor port ";

    private FloorServer() {}

    /**
     * Serves connections, one after the other, until the
     * parent process closes this one's standard input.
     */
    static void serve() throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println(PORT + ((InetSocketAddress) server.getLocalAddress()).getPort());
            while (true) {
                try (SocketChannel channel = server.accept()) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    serve(channel);
                } catch (IOException e) {
                    continue; // the client has gone; the next one may come
                }
            }
        }
    }

    private static void serve(SocketChannel channel) throws IOException {
        ByteBuffer head = ByteBuffer.allocateDirect(8);
        readFully(channel, head);
        int mode = head.getInt(0);
        int size = head.getInt(4);
        if (mode == STREAM) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(Floor.batchBytes(size));
            long bytes = 0;
            for (int n = channel.read(buffer); n >= 0; n = channel.read(buffer)) {
                bytes += n;
                buffer.clear();
            }
            head.clear().putLong(bytes).flip();
            writeFully(channel, head);
        } else {
            ByteBuffer buffer = ByteBuffer.allocateDirect(size);
            while (true) {
                readFully(channel, buffer.clear());
                writeFully(channel, buffer.flip());
            }
        }
    }

    static void readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the other side closed the connection");
            }
        }
    }

    static void writeFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}
