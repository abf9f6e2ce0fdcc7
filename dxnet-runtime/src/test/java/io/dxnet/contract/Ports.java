package io.dxnet.contract;

import io.dxnet.NodeMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** Free ports of the loopback interface. */
public final class Ports {
    private Ports() {}

    /** One address for each node. */
    public static List<String> addresses(int nodes) {
        List<ServerSocket> sockets = new ArrayList<>();
        List<String> addresses = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                sockets.add(socket);
                addresses.add("127.0.0.1:" + socket.getLocalPort());
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return addresses;
    }

    /** For a socket of the JDK, which resolves nothing itself. */
    public static InetSocketAddress resolved(String address) {
        return new InetSocketAddress(
                InetAddress.getLoopbackAddress(), Integer.parseInt(address.substring(address.indexOf(':') + 1)));
    }

    /** The map of a node, with all addresses. */
    public static NodeMap map(int nodeId, List<String> addresses) {
        NodeMap map = new NodeMap(nodeId);
        for (int i = 0; i < addresses.size(); i++) {
            map.put(i, addresses.get(i));
        }
        return map;
    }
}
