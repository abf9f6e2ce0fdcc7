package io.dxnet.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A machine between the opening node and the listener: relays what both send, keeps a copy, and
 * changes or cuts one direction at a place.
 */
final class Middle implements AutoCloseable {
    /** Which way bytes run. */
    enum Direction {
        TO_LISTENER,
        TO_OPENER
    }

    /** What it does to a direction. */
    private record Plan(Direction direction, int at, int mask) {}

    /** What was sent over one connection. */
    static final class Record {
        private final ByteArrayOutputStream toListener = new ByteArrayOutputStream();
        private final ByteArrayOutputStream toOpener = new ByteArrayOutputStream();

        private synchronized void add(Direction direction, byte[] bytes, int count) {
            (direction == Direction.TO_LISTENER ? toListener : toOpener).write(bytes, 0, count);
        }

        synchronized byte[] bytes(Direction direction) {
            return (direction == Direction.TO_LISTENER ? toListener : toOpener).toByteArray();
        }
    }

    private static final int CUT = 0;

    private final ServerSocket server;
    private final InetSocketAddress listener;
    private final List<Record> records = new CopyOnWriteArrayList<>();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private volatile Plan plan; // the test

    Middle(InetSocketAddress listener) throws IOException {
        this.listener = listener;
        this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        start("middle-accept", this::accept);
    }

    private static void start(String name, Runnable work) {
        Thread.ofPlatform().daemon().name(name).start(work);
    }

    String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** From here on, changes one byte of each connection. */
    void change(Direction direction, int at, int mask) {
        plan = new Plan(direction, at, mask);
    }

    /** From here on, cuts each connection where so many bytes have passed in a direction. */
    void cut(Direction direction, int at) {
        plan = new Plan(direction, at, CUT);
    }

    /** From here on, changes nothing. */
    void relay() {
        plan = null;
    }

    /** What passed on each connection so far, in their order. */
    List<Record> records() {
        return records;
    }

    private void accept() {
        try {
            while (true) {
                Socket opener = server.accept();
                Socket other = new Socket();
                other.connect(listener, 5000);
                opener.setTcpNoDelay(true);
                other.setTcpNoDelay(true);
                sockets.add(opener);
                sockets.add(other);
                Record record = new Record();
                records.add(record);
                Plan now = plan;
                start("middle-in", () -> pass(opener, other, Direction.TO_LISTENER, record, now));
                start("middle-out", () -> pass(other, opener, Direction.TO_OPENER, record, now));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void pass(Socket from, Socket to, Direction direction, Record record, Plan plan) {
        boolean isMine = plan != null && plan.direction == direction;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[64 << 10];
            int passed = 0;
            while (true) {
                if (isMine && plan.mask == CUT && passed == plan.at) {
                    break;
                }
                int most = isMine && plan.mask == CUT ? Math.min(bytes.length, plan.at - passed) : bytes.length;
                int count = in.read(bytes, 0, most);
                if (count < 0) {
                    break;
                }
                record.add(direction, bytes, count);
                if (isMine && plan.mask != CUT && plan.at >= passed && plan.at < passed + count) {
                    bytes[plan.at - passed] ^= (byte) plan.mask;
                }
                out.write(bytes, 0, count);
                passed += count;
            }
            if (isMine && plan.mask == CUT) {
                from.close();
                to.close();
            } else {
                to.shutdownOutput();
            }
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            // it is gone
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        sockets.forEach(Middle::close);
    }
}
