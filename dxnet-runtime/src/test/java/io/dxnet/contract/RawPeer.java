package io.dxnet.contract;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A peer that sends whatever bytes a test chooses. */
public final class RawPeer implements AutoCloseable {
    private final Socket socket;

    public RawPeer(InetSocketAddress address) throws IOException {
        this(address, null);
    }

    /** The same from one of this machine's addresses; null: any. */
    public RawPeer(InetSocketAddress address, InetSocketAddress from) throws IOException {
        socket = new Socket();
        if (from != null) { // a socket that is not bound may get a port that another one just left
            socket.bind(from);
        }
        socket.connect(address, 5000);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
    }

    public RawPeer write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    public RawPeer write(ByteBuffer bytes) throws IOException {
        return write(bytes.array());
    }

    /** Reads an answer: how is the transport's. */
    public interface Reader<T> {
        T read(RawPeer from) throws IOException;
    }

    public <T> T answer(Reader<T> reader) throws IOException {
        return reader.read(this);
    }

    public void readFully(byte[] bytes) throws IOException {
        if (socket.getInputStream().readNBytes(bytes, 0, bytes.length) < bytes.length) {
            throw new EOFException();
        }
    }

    /** -1 at the end. */
    public int read() throws IOException {
        return socket.getInputStream().read();
    }

    /** True when the other side hung up, in whatever way, without a byte. */
    public boolean isHungUp() {
        try {
            return read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** True when the other side ended it, in whatever way, after whatever bytes. */
    public boolean isCutOff() {
        try {
            int b;
            do {
                b = read();
            } while (b >= 0);
            return true;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** Ends its direction; the answers can still be read. */
    public void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    public void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
