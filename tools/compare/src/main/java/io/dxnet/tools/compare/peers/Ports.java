package io.dxnet.tools.compare.peers;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/**
 * Free ports of the loopback address: all are held until all are
 * found, so that none is found twice.
 */
final class Ports {
    private Ports() {}

    static int[] tcp(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
            }
            return sockets.stream().mapToInt(ServerSocket::getLocalPort).toArray();
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    static int[] udp(int count) throws IOException {
        List<DatagramSocket> sockets = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                sockets.add(new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
            }
            return sockets.stream().mapToInt(DatagramSocket::getLocalPort).toArray();
        } finally {
            sockets.forEach(DatagramSocket::close);
        }
    }
}
