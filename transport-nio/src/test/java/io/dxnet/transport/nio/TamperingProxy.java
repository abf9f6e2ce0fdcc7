package io.dxnet.transport.nio;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The man in the middle: passes bytes between two nodes, changes them, adds to them, cuts them. */
final class TamperingProxy implements AutoCloseable {
    /** Changes what passes. */
    interface Tamper {
        /** Returns what to pass; {@code at} is the place of the first byte in its stream. */
        byte[] pass(long at, byte[] bytes);
    }

    static final Tamper NONE = (at, bytes) -> bytes;

    private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
    private final InetSocketAddress target;
    private final List<Socket> opened = new CopyOnWriteArrayList<>(); // to the target
    private final List<Socket> accepted = new CopyOnWriteArrayList<>();
    volatile Tamper there = NONE;
    volatile Tamper back = NONE;

    TamperingProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        start(this::accept);
    }

    private static void start(Runnable body) {
        Thread.ofPlatform().daemon().start(body);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listener.getLocalSocketAddress();
    }

    /** Flips a bit of one byte. */
    static Tamper flip(long place) {
        return (at, bytes) -> {
            if (place >= at && place < at + bytes.length) {
                bytes[(int) (place - at)] ^= 1;
            }
            return bytes;
        };
    }

    private void accept() {
        try {
            while (true) {
                Socket from = listener.accept();
                Socket to = new Socket(target.getHostString(), target.getPort());
                from.setTcpNoDelay(true);
                to.setTcpNoDelay(true);
                accepted.add(from);
                opened.add(to);
                start(() -> pump(from, to, true));
                start(() -> pump(to, from, false));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pump(Socket from, Socket to, boolean isThere) {
        byte[] bytes = new byte[16 << 10];
        long at = 0;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                byte[] passed = (isThere ? there : back).pass(at, Arrays.copyOf(bytes, count));
                at += count;
                synchronized (to) {
                    out.write(passed);
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    /** Sends bytes to the target, between those of the other node. */
    void inject(byte[] bytes) throws IOException {
        for (Socket each : opened) {
            synchronized (each) {
                each.getOutputStream().write(bytes);
            }
        }
    }

    /** Ends all channels towards the target as if the other node had. */
    void cut() throws IOException {
        for (Socket each : opened) {
            each.shutdownOutput();
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is closed
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        opened.forEach(TamperingProxy::close);
        accepted.forEach(TamperingProxy::close);
    }
}
