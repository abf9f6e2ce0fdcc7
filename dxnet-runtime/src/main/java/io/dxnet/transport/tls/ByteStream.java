package io.dxnet.transport.tls;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the TCP channel of a connection, plain or under TLS. Plain, each call is that of
 * the {@link SocketChannel}, without a copy. Threads: as {@link TlsChannel} states.
 */
public final class ByteStream implements Closeable {
    private final SocketChannel socket;
    private final @Nullable TlsChannel tls;

    private ByteStream(SocketChannel socket, @Nullable TlsChannel tls) {
        this.socket = socket;
        this.tls = tls;
    }

    /**
     * Makes the stream of a plain channel.
     *
     * @param socket closed by {@link #close}
     * @return the stream
     */
    public static ByteStream plain(SocketChannel socket) {
        return new ByteStream(socket, null);
    }

    /**
     * Makes the stream of a channel under TLS.
     *
     * @param socket closed by {@link #close}
     * @param tls over the socket
     * @return the stream
     */
    public static ByteStream secured(SocketChannel socket, TlsChannel tls) {
        return new ByteStream(socket, tls);
    }

    /**
     * Returns the channel, for its options and its selection key.
     *
     * @return always the same; only this class reads and writes it
     */
    public SocketChannel socket() {
        return socket;
    }

    /**
     * Returns the TLS over the channel.
     *
     * @return null: it is plain
     */
    public @Nullable TlsChannel tls() {
        return tls;
    }

    /**
     * Reads bytes.
     *
     * @param target has room
     * @return bytes; 0: none at present; -1: the other node ended the stream
     * @throws IOException when the channel failed, or was cut under TLS
     */
    public int read(ByteBuffer target) throws IOException {
        return tls == null ? socket.read(target) : tls.read(target);
    }

    /**
     * Returns whether a read returns something that a selector does not report.
     *
     * @return always false where it is plain
     */
    public boolean hasBuffered() {
        return tls != null && tls.hasBuffered();
    }

    /**
     * Writes bytes.
     *
     * @param source bytes of the stream
     * @return how many were accepted
     * @throws IOException when the channel failed
     */
    public int write(ByteBuffer source) throws IOException {
        return tls == null ? socket.write(source) : tls.write(source);
    }

    /**
     * Writes what was accepted and is not in the channel yet.
     *
     * @return whether nothing is left: always true where it is plain
     * @throws IOException when the channel failed
     */
    public boolean flush() throws IOException {
        return tls == null || tls.flush();
    }

    /**
     * Returns whether all that was accepted is in the channel.
     *
     * @return always true where it is plain
     */
    public boolean isFlushed() {
        return tls == null || tls.isFlushed();
    }

    /**
     * Ends the stream of this node; the other node's continues.
     *
     * @return whether it is done; false: call it again when the channel has room
     * @throws IOException when the channel failed
     */
    public boolean endOutput() throws IOException {
        if (tls != null && !tls.endOutput()) {
            return false;
        }
        socket.shutdownOutput();
        return true;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
