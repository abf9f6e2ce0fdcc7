package io.dxnet.tools.ledger;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands between two nodes and resets their TCP connections, as when a process is
 * killed or a middlebox forgets.
 */
final class ResettingProxy implements AutoCloseable {
    private static final int CHUNK_BYTES = 16 << 10;

    private final ServerSocket listener;
    private final InetSocketAddress target;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    ResettingProxy(String address) throws IOException {
        int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
        target = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().start(this::accept);
    }

    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    private void accept() {
        while (true) {
            try {
                Socket from = listener.accept();
                open.add(from);
                Socket to = new Socket();
                open.add(to);
                to.connect(target);
                Thread.ofVirtual().start(() -> copy(from, to));
                Thread.ofVirtual().start(() -> copy(to, from));
            } catch (IOException e) {
                if (listener.isClosed()) {
                    return;
                }
                reset(); // the target is not there
            }
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int length = in.read(chunk); length >= 0; length = in.read(chunk)) {
                out.write(chunk, 0, length);
            }
            to.shutdownOutput();
            if (from.isOutputShutdown()) {
                close(from);
                close(to);
            }
        } catch (IOException e) {
            reset(from);
            reset(to);
        }
    }

    /** Resets all connections, towards both sides. */
    void reset() {
        open.forEach(this::reset);
    }

    private void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
        } catch (IOException e) {
            open.remove(socket); // closed already
        }
        close(socket);
    }

    private void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        reset();
    }
}
