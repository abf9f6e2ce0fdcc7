package io.dxnet.tools.ledger;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** Connections to nodes' ports that are not from nodes. One thread. */
final class Strangers implements AutoCloseable {
    private static final int CONNECT_MS = 500;
    private static final int BYTES_MAX = 2_000;
    private static final int AT_ONCE_MAX = 20;
    private static final int OPEN_MS_MAX = 3_000;

    private final Random random;
    private final Deque<Open> open = new ArrayDeque<>();

    private record Open(Socket socket, long untilNs) {}

    Strangers(Random random) {
        this.random = random;
    }

    /** Sends random bytes and leaves, at once or later. */
    void garbage(String address) {
        connect(address, 1 + random.nextInt(BYTES_MAX));
        leave(false);
    }

    /** Connects several times and sends little or nothing. */
    void halfOpen(String address) {
        int count = 1 + random.nextInt(AT_ONCE_MAX);
        for (int i = 0; i < count; i++) {
            connect(address, random.nextInt(8));
        }
        leave(false);
    }

    private void connect(String address, int bytes) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        Socket socket = new Socket();
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(random.nextInt(OPEN_MS_MAX));
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        try {
            socket.connect(new InetSocketAddress(host, port), CONNECT_MS);
            OutputStream stream = socket.getOutputStream();
            stream.write(content);
            open.add(new Open(socket, untilNs));
        } catch (IOException e) {
            close(socket); // the node is away, or hung up already
        }
    }

    /** Closes the connections whose time is over, or all. */
    void leave(boolean all) {
        open.removeIf(each -> {
            boolean over = all || System.nanoTime() - each.untilNs() > 0;
            if (over) {
                close(each.socket());
            }
            return over;
        });
    }

    private void close(Socket socket) {
        try {
            if (random.nextBoolean()) {
                socket.setSoLinger(true, 0); // a reset instead of an end of stream
            }
            socket.close();
        } catch (IOException e) {
            return; // closed by the node
        }
    }

    @Override
    public void close() {
        leave(true);
    }
}
