package io.dxnet.tools.ycsb;

import io.dxnet.DXNet;
import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A client node of the store: reaches the storage node of
 * each key. Any number of threads may use it at once.
 */
final class StoreClient implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final DXNet net;
    private final int servers;
    private final GetCounts.Counter counter = new GetCounts.Counter();
    /** Of each storage node; empty where all gets are by messages. */
    private final List<SlotReader> readers = new ArrayList<>();

    /**
     * Starts the node.
     *
     * @param servers storage nodes: those with the ids from 0 on
     * @param gets how it may get records
     */
    StoreClient(DXNetConfig config, NodeMap nodeMap, int servers, List<Gets> gets) {
        this.servers = servers;
        net = new DXNet(config, nodeMap);
        net.registerMessageType(Operation.TYPE, Operation.SUBTYPE, Operation::new);
        net.registerMessageType(Operation.TYPE, Outcome.SUBTYPE, Outcome::new);
        for (int server = 0; server < servers && gets.contains(Gets.MEMORY); server++) {
            readers.add(new SlotReader(net.remoteMemory(), server, counter));
        }
    }

    /**
     * Gets a record.
     *
     * @param gets one of those of this node
     * @return a {@link Row}; null: there is no such record
     */
    byte[] read(String key, Gets gets) throws DXNetException {
        int server = server(key);
        byte[] row = gets == Gets.MEMORY ? readers.get(server).read(key) : null;
        return row != null
                ? row
                : net.sendSync(new Operation(server, Operation.Kind.READ, key), TIMEOUT)
                        .row();
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

    /** Connects, and attaches, to every storage node. */
    void connect() throws DXNetException {
        for (int server = 0; server < servers; server++) {
            net.connectNode(server);
        }
        for (SlotReader reader : readers) {
            reader.attach();
        }
    }

    /** {@return whether hardware, or this process itself, reads the memory of all storage nodes} */
    boolean isOneSided() {
        return !readers.isEmpty() && readers.stream().allMatch(SlotReader::isOneSided);
    }

    /** {@return what answered the gets by memory} */
    GetCounts counts() {
        return counter.counts();
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
