package io.dxnet.verbs.pingpong;

import io.dxnet.ibverbs.Gid;
import io.dxnet.ibverbs.QpAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Exchanges queue pairs over TCP as rdma-core's examples do. A line is
 * {@code lid:qpn:psn:gid} in hexadecimal with a null byte at the end, then {@code done}.
 * {@code ibv_srq_pingpong} always sends 256 of them, unused ones as zeros.
 */
final class PingpongExchange {
    private static final int BYTES = "0000:000000:000000:00000000000000000000000000000000".length() + 1;
    private static final byte[] DONE = "done\0".getBytes(StandardCharsets.US_ASCII);

    private PingpongExchange() {}

    /** The client's side, which sends first. */
    static List<QpAddress> client(String server, int port, List<QpAddress> own, int slots) throws IOException {
        try (Socket socket = new Socket(server, port)) {
            send(socket, own, slots);
            List<QpAddress> other = receive(socket, slots);
            socket.getOutputStream().write(DONE);
            return other;
        }
    }

    /** The server's side: is ready to receive before it answers. */
    static List<QpAddress> server(int port, List<QpAddress> own, int slots, Consumer<List<QpAddress>> getReady)
            throws IOException {
        try (ServerSocket listening = new ServerSocket(port, 1);
                Socket socket = listening.accept()) {
            List<QpAddress> other = receive(socket, slots);
            getReady.accept(other);
            send(socket, own, slots);
            new DataInputStream(socket.getInputStream()).readFully(new byte[DONE.length]);
            return other;
        }
    }

    private static void send(Socket socket, List<QpAddress> own, int slots) throws IOException {
        QpAddress unused = new QpAddress(0, 0, 0, new Gid(0, 0));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < slots; i++) {
            QpAddress address = i < own.size() ? own.get(i) : unused;
            text.append("%04x:%06x:%06x:%s\0"
                    .formatted(
                            address.lid(),
                            address.qpNumber(),
                            address.psn(),
                            address.gid().toHex()));
        }
        socket.getOutputStream().write(text.toString().getBytes(StandardCharsets.US_ASCII));
    }

    private static List<QpAddress> receive(Socket socket, int slots) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        List<QpAddress> addresses = new ArrayList<>();
        byte[] message = new byte[BYTES];
        for (int i = 0; i < slots; i++) {
            in.readFully(message);
            String[] parts = new String(message, 0, BYTES - 1, StandardCharsets.US_ASCII).split(":");
            if (parts.length != 4) {
                throw new IOException("the peer does not speak the examples' exchange: " + String.join(":", parts));
            }
            addresses.add(new QpAddress(
                    Integer.parseInt(parts[1], 16),
                    Integer.parseInt(parts[2], 16),
                    Integer.parseInt(parts[0], 16),
                    Gid.parseHex(parts[3])));
        }
        return addresses;
    }
}
