package io.dxnet.tools.ycsb;

import io.dxnet.DXNetConfig;
import io.dxnet.DXNetException;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.ChildProcess;
import io.dxnet.tools.bench.nodes.Failure;
import io.dxnet.tools.bench.nodes.NodeMaps;
import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Storage nodes and client nodes: client nodes in this process, storage nodes in processes of their
 * own where the transport connects processes. Used by one thread.
 */
final class StoreCluster implements AutoCloseable {
    /**
     * A process that ends is noticed at once; this is for machines that are busy when it starts.
     */
    private static final long PATIENCE_NS = Duration.ofMinutes(2).toNanos();

    private static final long RETRY_NS = 100_000_000;

    private final YcsbOptions options;
    private final String transport;
    private final String clusterName = "ycsb-" + ProcessHandle.current().pid();
    private final Failure failure = new Failure();
    private final List<ChildProcess> processes = new ArrayList<>();
    private final List<StoreNode> servers = new ArrayList<>();
    private final List<StoreClient> clients = new ArrayList<>();
    /** Written by this object, or null: given by hand. */
    private Path ownMap;

    /**
     * Starts the storage nodes; by hand, they are there.
     *
     * @param transport resolved
     * @param clientsMax client nodes that there may be
     */
    StoreCluster(YcsbOptions options, String transport, int clientsMax) {
        this.options = options;
        this.transport = transport;
        if (options.nodeMap != null) {
            return;
        }
        boolean complete = false;
        try {
            ownMap = Files.createTempFile("dxnet-ycsb-", ".properties");
            NodeMaps.write(ownMap, options.servers + clientsMax);
            DXNetConfig config = options.serverConfiguration(transport, clusterName);
            for (int id = 0; id < options.servers; id++) {
                if (Transports.inOneProcess(config)) {
                    servers.add(new StoreNode(config, NodeMap.load(id, ownMap), options.publication()));
                } else {
                    processes.add(process(id));
                }
            }
            complete = true;
        } catch (IOException e) {
            throw new ToolException("can't write a node map: " + e.getMessage(), e);
        } finally {
            if (!complete) {
                close();
            }
        }
    }

    private ChildProcess process(int id) {
        String name = "storage node " + id;
        List<String> arguments = options.serverArguments(id, ownMap, transport, clusterName);
        return new ChildProcess(
                name, Main.class, arguments, failure, line -> System.err.println("[" + name + "] " + line));
    }

    /** So many client nodes, connected; those that are there already are among them. */
    List<StoreClient> clients(int count) {
        while (clients.size() < count) {
            if (options.nodeMap != null && !clients.isEmpty()) {
                return clients; // by hand, this process is one node
            }
            int id = options.nodeMap != null ? options.node : options.servers + clients.size();
            NodeMap map = NodeMap.load(id, options.nodeMap != null ? options.nodeMap : ownMap);
            String cluster = options.nodeMap != null ? null : clusterName;
            StoreClient client = new StoreClient(
                    options.clientConfiguration(transport, cluster), map, options.servers, options.gets());
            clients.add(client);
            connect(client);
        }
        return clients.subList(0, count);
    }

    private void connect(StoreClient client) {
        long deadline = System.nanoTime() + PATIENCE_NS;
        while (true) {
            failure.check();
            try {
                client.connect();
                return;
            } catch (DXNetException e) {
                if (System.nanoTime() > deadline) {
                    failure.check();
                    throw new ToolException("a storage node did not come: " + e.getMessage(), e);
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
    }

    /** {@return what answered the gets by memory of all client nodes} */
    GetCounts counts() {
        return clients.stream().map(StoreClient::counts).reduce(GetCounts.NONE, GetCounts::plus);
    }

    /** Throws if a storage node has ended. */
    void check() {
        failure.check();
    }

    /** The description of a storage node where one is in this process, else of a client node. */
    String describe() {
        return servers.isEmpty()
                ? "client node: " + clients.getFirst().describe()
                : "storage node: " + servers.getFirst().describe();
    }

    @Override
    public void close() {
        clients.reversed().forEach(StoreClient::close);
        servers.forEach(StoreNode::close);
        processes.forEach(ChildProcess::close);
        if (ownMap != null) {
            try {
                Files.deleteIfExists(ownMap);
            } catch (IOException e) {
                System.err.println("ycsb: can't delete " + ownMap + ": " + e.getMessage());
            }
        }
    }
}
