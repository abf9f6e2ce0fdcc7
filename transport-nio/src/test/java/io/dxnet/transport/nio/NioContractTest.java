package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.MessagingContract;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;

/** The contract suite on TCP over the loopback interface. */
class NioContractTest extends MessagingContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio");
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        List<ServerSocket> sockets = new ArrayList<>();
        List<NodeMap> maps = new ArrayList<>();
        try {
            for (int i = 0; i < nodes; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
                maps.add(new NodeMap(i));
            }
            for (NodeMap map : maps) {
                for (int i = 0; i < nodes; i++) {
                    map.put(i, "127.0.0.1:" + sockets.get(i).getLocalPort());
                }
            }
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return maps;
    }
}
