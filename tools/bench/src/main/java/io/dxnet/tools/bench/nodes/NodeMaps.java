package io.dxnet.tools.bench.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Node maps of this machine. */
public final class NodeMaps {
    private NodeMaps() {}

    /**
     * Addresses of this machine for nodes 0 to {@code count - 1}: free ports of the loopback address, all held until all are
     * found, so that none is found twice.
     *
     * @param count of nodes
     * @return host and port of each
     * @throws IOException when there is no port
     */
    public static List<String> addresses(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        try {
            for (int id = 0; id < count; id++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                addresses.add("127.0.0.1:" + socket.getLocalPort());
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
        return addresses;
    }

    /**
     * Writes a node map of {@link #addresses}.
     *
     * @param file is replaced
     * @param count of nodes
     * @throws IOException when there is no port or the file can't be written
     */
    public static void write(Path file, int count) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String address : addresses(count)) {
            lines.add(lines.size() + "=" + address);
        }
        Files.write(file, lines);
    }
}
