package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.transport.handshake.Hello;
import io.dxnet.transport.handshake.Reply;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;

/** A peer that says whatever a test wants it to say. */
final class RawPeer implements AutoCloseable {
    private final Socket socket;

    RawPeer(InetSocketAddress address) throws IOException {
        socket = new Socket();
        socket.connect(address, 5000);
        socket.setSoTimeout(10_000);
        socket.setTcpNoDelay(true);
    }

    static Hello hello(
            DXNetConfig config,
            int nodeId,
            int listenerId,
            long incarnation,
            long connectionId,
            long listenerConnectionId) {
        return Hello.of(
                config,
                NioTransport.NAME,
                nodeId,
                listenerId,
                incarnation,
                connectionId,
                listenerConnectionId,
                NioOpening.NO_PAYLOAD);
    }

    RawPeer write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    RawPeer write(ByteBuffer bytes) throws IOException {
        return write(bytes.array());
    }

    Reply reply() throws IOException {
        InputStream in = socket.getInputStream();
        return Reply.read(bytes -> {
            if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
                throw new EOFException();
            }
        });
    }

    /** -1 at the end. */
    int read() throws IOException {
        return socket.getInputStream().read();
    }

    /** True when the other side hung up, in whatever way, without a byte. */
    boolean isHungUp() {
        try {
            return read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** True when the other side ended it, in whatever way, after whatever bytes. */
    boolean isCutOff() {
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

    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    void hangUp() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
