package io.dxnet.tools.ycsb;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import java.time.Duration;

/**
 * A client node of the store: reaches the storage node of
 * each key. Any number of threads may use it at once.
 */
final class StoreClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final DXNet net;
    private final int servers;

    /**
     * Starts the node.
     *
     * @param servers storage nodes: those with the ids from 0 on
     */
    StoreClient(DXNetConfig config, NodeMap nodeMap, int servers) {
        this.servers = servers;
        net = new DXNet(config, nodeMap);
        net.registerMessageType(Operation.TYPE, Operation.SUBTYPE, Operation::new);
        net.registerMessageType(Operation.TYPE, Outcome.SUBTYPE, Outcome::new);
    }

    Outcome read(String key) throws DXNetException {
        return net.sendSync(new Operation(server(key), Operation.Kind.READ, key), TIMEOUT);
    }

    Outcome insert(String key, byte[] row) throws DXNetException {
        return net.sendSync(new Operation(server(key), Operation.Kind.INSERT, key, row), TIMEOUT);
    }

    Outcome update(String key, byte[] row) throws DXNetException {
        return net.sendSync(new Operation(server(key), Operation.Kind.UPDATE, key, row), TIMEOUT);
    }

    Outcome delete(String key) throws DXNetException {
        return net.sendSync(new Operation(server(key), Operation.Kind.DELETE, key), TIMEOUT);
    }

    /** Connects to every storage node. */
    void connect() throws DXNetException {
        for (int server = 0; server < servers; server++) {
            net.connectNode(server);
        }
    }

    /** The node's description of itself. */
    String describe() {
        return net.describe();
    }

    private int server(String key) {
        int hash = key.hashCode();
        return Math.floorMod(hash ^ hash >>> 16, servers);
    }

    @Override
    public void close() {
        net.close();
    }
}
