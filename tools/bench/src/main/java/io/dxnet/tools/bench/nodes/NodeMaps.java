package io.dxnet.tools.bench.nodes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes node maps of this machine. */
public final class NodeMaps {
    private NodeMaps() {}

    /**
     * Nodes 0 to {@code count - 1} on free ports: all are held until all are found, so that none is found twice.
     *
     * @param file is replaced
     * @param count of nodes
     * @param hosts addresses of this machine, given to the nodes in turn
     * @throws IOException when there is no port or the file can't be written
     */
    public static void write(Path file, int count, List<String> hosts) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        try {
            for (int id = 0; id < count; id++) {
                String host = hosts.get(id % hosts.size());
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(host));
                sockets.add(socket);
                lines.add(id + "=" + host + ":" + socket.getLocalPort());
            }
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
        Files.write(file, lines);
    }
}
