package io.dxnet.attack;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A machine between the opening node and the listener: relays what both send, keeps a copy, and
 * changes, cuts or adds to one direction at a place.
 */
public final class Middle implements AutoCloseable {
    /** Which way bytes run. */
    public enum Direction {
        TO_LISTENER,
        TO_OPENER
    }

    /** What it does at its place. */
    private enum Action {
        CHANGE,
        CUT,
        INSERT
    }

    /** What it does to a direction. */
    private record Plan(Direction direction, int at, Action action, byte[] bytes) {}

    /** What was sent over one connection. */
    public static final class Record {
        private final ByteArrayOutputStream toListener = new ByteArrayOutputStream();
        private final ByteArrayOutputStream toOpener = new ByteArrayOutputStream();

        private synchronized void add(Direction direction, byte[] bytes, int count) {
            (direction == Direction.TO_LISTENER ? toListener : toOpener).write(bytes, 0, count);
        }

        public synchronized byte[] bytes(Direction direction) {
            return (direction == Direction.TO_LISTENER ? toListener : toOpener).toByteArray();
        }
    }

    private static final byte[] NONE = {};

    private final ServerSocket server;
    private final InetSocketAddress listener;
    private final List<Record> records = new CopyOnWriteArrayList<>();
    private final List<Socket> openers = new CopyOnWriteArrayList<>();
    private final List<Socket> listeners = new CopyOnWriteArrayList<>();
    private volatile Plan plan; // the test

    public Middle(InetSocketAddress listener) throws IOException {
        this.listener = listener;
        this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        start("middle-accept", this::accept);
    }

    private static void start(String name, Runnable work) {
        Thread.ofPlatform().daemon().name(name).start(work);
    }

    public String address() {
        return "127.0.0.1:" + server.getLocalPort();
    }

    /** From here on, changes one byte of each connection. */
    void change(Direction direction, int at, int mask) {
        plan = new Plan(direction, at, Action.CHANGE, new byte[] {(byte) mask});
    }

    /** From here on, cuts each connection where so many bytes have passed in a direction. */
    void cut(Direction direction, int at) {
        plan = new Plan(direction, at, Action.CUT, NONE);
    }

    /** From here on, adds bytes to each connection where so many have passed in a direction. */
    void insert(Direction direction, int at, byte[] bytes) {
        plan = new Plan(direction, at, Action.INSERT, bytes);
    }

    /** Sends bytes to the listener now, between those of the opening node. */
    void insertNow(byte[] bytes) throws IOException {
        for (Socket each : listeners) {
            synchronized (each) {
                each.getOutputStream().write(bytes);
            }
        }
    }

    /** Ends each direction to the listener now, as if the opening node had ended its channel. */
    void cutNow() throws IOException {
        for (Socket each : listeners) {
            each.shutdownOutput();
        }
    }

    /** Ends all connections that there are. */
    void drop() {
        openers.forEach(Middle::close);
        listeners.forEach(Middle::close);
        openers.clear();
        listeners.clear();
    }

    /** From here on, changes nothing. */
    void relay() {
        plan = null;
    }

    /** What passed on each connection so far, in their order. */
    public List<Record> records() {
        return records;
    }

    private void accept() {
        try {
            while (true) {
                Socket opener = server.accept();
                Socket other = new Socket();
                other.connect(new InetSocketAddress(listener.getHostString(), listener.getPort()), 5000);
                opener.setTcpNoDelay(true);
                other.setTcpNoDelay(true);
                openers.add(opener);
                listeners.add(other);
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
        Plan mine = plan != null && plan.direction == direction ? plan : null;
        try {
            InputStream in = from.getInputStream();
            byte[] bytes = new byte[64 << 10];
            int passed = 0;
            while (true) {
                if (mine != null && passed == mine.at && mine.action != Action.CHANGE) {
                    if (mine.action == Action.CUT) {
                        close(from);
                        close(to);
                        return;
                    }
                    write(to, mine.bytes, mine.bytes.length);
                }
                int most = mine != null && passed < mine.at ? mine.at - passed : bytes.length;
                int count = in.read(bytes, 0, Math.min(bytes.length, most));
                if (count < 0) {
                    break;
                }
                record.add(direction, bytes, count);
                if (mine != null && mine.action == Action.CHANGE && passed == mine.at) {
                    bytes[0] ^= mine.bytes[0];
                }
                write(to, bytes, count);
                passed += count;
            }
            to.shutdownOutput();
        } catch (IOException e) {
            close(from);
            close(to);
        }
    }

    private static void write(Socket to, byte[] bytes, int count) throws IOException {
        synchronized (to) {
            to.getOutputStream().write(bytes, 0, count);
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
        drop();
    }
}
