package io.dxnet.tools.example;

import io.dxnet.NodeMap;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Nodes in one process, for the examples: on a real cluster, the map is a file. */
public final class LocalNodes {
    private LocalNodes() {}

    /**
     * Searches for free ports.
     *
     * @param nodes how many, 1 or more
     * @return the map of each node
     * @throws IOException when there are none
     */
    public static List<NodeMap> maps(int nodes) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int node = 0; node < nodes; node++) {
                sockets.add(new ServerSocket(0));
            }
            List<NodeMap> maps = new ArrayList<>();
            for (int node = 0; node < nodes; node++) {
                NodeMap map = new NodeMap(node);
                for (int other = 0; other < nodes; other++) {
                    map.put(other, "127.0.0.1:" + sockets.get(other).getLocalPort());
                }
                maps.add(map);
            }
            return maps;
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }
}
