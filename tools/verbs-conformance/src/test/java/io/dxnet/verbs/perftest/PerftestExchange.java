package io.dxnet.verbs.perftest;

import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.Mtu;
import io.dxnet.ibverbs.QpAddress;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Exchanges over TCP what the programs of perftest 4.5 and 6 exchange. Both sides send the same
 * messages in turn; the client sends first, so that each exchange is a barrier too.
 */
final class PerftestExchange implements Closeable {
    /** One side's queue pair and memory. */
    record End(QpAddress pair, int reads, int key, long address) {}

    /** Of perftest's protocol, not of a release; 16 bytes with zeros at the end. */
    private static final String VERSION = "6.06";

    private static final int VERSION_BYTES = 16;
    private static final int PAGE = 4096;
    private static final int CACHE_LINE = 64;
    private static final int KEYS_BYTES = 108;
    private static final int GID_BYTES = 16;
    /** The first part of the GID, which is followed by the number of a shared receive queue. */
    private static final int GID_PART = 6;

    private static final double MEGABYTE = 1 << 20;
    private static final int PATIENCE_MS = 200_000;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private final Socket socket;
    private final DataInputStream in;
    private final boolean client;

    private PerftestExchange(Socket socket, boolean client) throws IOException {
        this.socket = socket;
        this.client = client;
        socket.setSoTimeout(PATIENCE_MS);
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    static PerftestExchange client(String server, int port) throws IOException {
        return new PerftestExchange(new Socket(server, port), true);
    }

    static PerftestExchange server(int port) throws IOException {
        try (ServerSocket listening = new ServerSocket(port, 1)) {
            return new PerftestExchange(listening.accept(), false);
        }
    }

    private byte[] swap(byte[] own) throws IOException {
        byte[] other = new byte[own.length];
        if (client) {
            socket.getOutputStream().write(own);
            in.readFully(other);
        } else {
            in.readFully(other);
            socket.getOutputStream().write(own);
        }
        return other;
    }

    private static byte[] padded(String text, int length) {
        return ByteBuffer.allocate(length)
                .put(text.getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    private static byte[] number(long value, int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        return (length == Long.BYTES ? bytes.putLong(value) : bytes.putInt((int) value)).array();
    }

    /**
     * Begins: versions, the size of the buffer that small messages walk through, the distance of
     * two of them, and the packet size.
     *
     * @return the smaller one of both sides' packet sizes
     */
    Mtu begin(Mtu own) throws IOException {
        swap(padded(VERSION, VERSION_BYTES));
        swap(number(PAGE, Integer.BYTES));
        swap(number(CACHE_LINE, Integer.BYTES));
        byte[] other = swap(padded(Integer.toString(own.code()), 2));
        return Mtu.of(Math.min(own.code(), Character.digit(other[0], 10)));
    }

    /** Exchanges both ends. Later exchanges of the same are barriers. */
    End keys(End own) throws IOException {
        QpAddress pair = own.pair();
        String gid = HexFormat.ofDelimiter(":")
                .formatHex(HexFormat.of().parseHex(pair.gid().toHex()));
        String text = "%04x:%04x:%06x:%06x:%08x:%016x:%s:%08x:"
                .formatted(pair.lid(), own.reads(), pair.qpNumber(), pair.psn(), own.key(), own.address(), gid, 0);
        String other = new String(swap(padded(text, KEYS_BYTES)), StandardCharsets.US_ASCII);
        String[] parts = other.trim().split(":");
        if (parts.length != GID_PART + GID_BYTES + 1) {
            throw new IOException("the peer does not speak perftest's exchange with GIDs: " + other);
        }
        return new End(
                new QpAddress(
                        Integer.parseInt(parts[2], 16),
                        Integer.parseInt(parts[3], 16),
                        Integer.parseInt(parts[0], 16),
                        Gid.parseHex(String.join("", Arrays.asList(parts).subList(GID_PART, GID_PART + GID_BYTES)))),
                Integer.parseInt(parts[1], 16),
                Integer.parseUnsignedInt(parts[4], 16),
                Long.parseUnsignedLong(parts[5], 16));
    }

    /**
     * Exchanges what was measured: operations, and rates of which the peer prints those of the side
     * that did them.
     *
     * @return the peer's count of operations
     */
    long reports(long bytes, long operations, double seconds) throws IOException {
        swap(number(bytes, Long.BYTES));
        long other = ByteBuffer.wrap(swap(number(operations, Long.BYTES))).getLong();
        double megabytes = operations * bytes / seconds / MEGABYTE;
        double millions = operations / seconds / 1e6;
        // The highest rate was not measured.
        for (double rate : new double[] {0, megabytes, millions}) {
            swap(number(Double.doubleToLongBits(rate), Long.BYTES));
        }
        return other;
    }

    /** Ends, as the last barrier. */
    void end(End own) throws IOException {
        keys(own);
        socket.getOutputStream().write(DONE);
        try {
            in.readFully(new byte[DONE.length]);
        } catch (EOFException e) {
            // The peer has ended without it, and needs nothing any more.
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
