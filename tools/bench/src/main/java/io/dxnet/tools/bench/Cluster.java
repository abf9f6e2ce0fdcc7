package io.dxnet.tools.bench;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.ChildProcess;
import io.dxnet.tools.bench.nodes.Failure;
import io.dxnet.tools.bench.nodes.NodeMaps;
import io.dxnet.tools.bench.nodes.Transports;
import io.dxnet.tools.cli.ToolException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** The nodes, as far as this process started them; {@link #local} coordinates. */
final class Cluster implements AutoCloseable {
    private final Failure failure = new Failure();
    private final List<BenchNode> nodes = new ArrayList<>();
    private final List<ChildProcess> children = new ArrayList<>();
    private final Path nodeMapFile;
    private int[] ids = {};
    private Coordinator coordinator;

    private Cluster(Path nodeMapFile) {
        this.nodeMapFile = nodeMapFile;
    }

    /**
     * All nodes in this process.
     *
     * @param hosts addresses of this machine, given to the nodes in turn
     */
    static Cluster inThisProcess(DXNetConfig config, int count, List<String> hosts) {
        List<String> addresses;
        try {
            addresses = NodeMaps.addresses(count, hosts);
        } catch (IOException e) {
            throw new ToolException("can't find free ports: " + e.getMessage(), e);
        }
        Cluster cluster = new Cluster(null);
        cluster.ids = IntStream.range(0, count).toArray();
        boolean complete = false;
        try {
            for (int id : cluster.ids) {
                NodeMap map = new NodeMap(id);
                for (int other : cluster.ids) {
                    map.put(other, addresses.get(other));
                }
                cluster.nodes.add(startNode(config, map));
            }
            cluster.coordinator = new Coordinator(cluster.local(), cluster.ids, cluster.failure);
            complete = true;
            return cluster;
        } finally {
            if (!complete) {
                cluster.close();
            }
        }
    }

    /**
     * Node 0 in this process, each other one in a process of its own on this machine.
     *
     * @param hosts addresses of this machine, given to the nodes in turn
     * @param arguments of the process for a node map file, node id not included
     */
    static Cluster onThisMachine(
            DXNetConfig config, int count, List<String> hosts, IntFunction<List<String>> arguments) {
        Cluster cluster;
        try {
            cluster = new Cluster(Files.createTempFile("dxnet-bench-", ".properties"));
            cluster.ids = IntStream.range(0, count).toArray();
            NodeMaps.write(cluster.nodeMapFile, count, hosts);
        } catch (IOException e) {
            throw new ToolException("can't write a node map: " + e.getMessage(), e);
        }
        boolean complete = false;
        try {
            for (int id = 1; id < count; id++) {
                String name = "node " + id;
                List<String> all = new ArrayList<>(arguments.apply(id));
                all.addAll(List.of("--node-map", cluster.nodeMapFile.toString()));
                cluster.children.add(new ChildProcess(
                        name, Main.class, all, cluster.failure, line -> System.err.println("[" + name + "] " + line)));
            }
            cluster.nodes.add(startNode(config, NodeMap.load(0, cluster.nodeMapFile)));
            cluster.coordinator = new Coordinator(cluster.local(), cluster.ids, cluster.failure);
            complete = true;
            return cluster;
        } finally {
            if (!complete) {
                cluster.close();
            }
        }
    }

    /** This node here, the others started by hand elsewhere. */
    static Cluster byHand(DXNetConfig config, NodeMap nodeMap) {
        Cluster cluster = new Cluster(null);
        cluster.ids = ids(nodeMap);
        cluster.nodes.add(startNode(config, nodeMap));
        cluster.coordinator = new Coordinator(cluster.local(), cluster.ids, cluster.failure);
        return cluster;
    }

    /** The node ids of a map, ascending. */
    static int[] ids(NodeMap map) {
        return map.nodes().keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    static BenchNode startNode(DXNetConfig config, NodeMap map) {
        Errors errors = new Errors();
        return BenchNode.start(Transports.onOwnDevice(config, map.ownNodeId()), map, errors);
    }

    /** The coordinating node. */
    BenchNode local() {
        return nodes.getFirst();
    }

    Coordinator coordinator() {
        return coordinator;
    }

    @Override
    public void close() {
        if (coordinator != null) {
            coordinator.stop();
        }
        for (ChildProcess child : children) {
            child.close();
        }
        for (BenchNode node : nodes.reversed()) {
            node.close();
        }
        if (nodeMapFile != null) {
            try {
                Files.deleteIfExists(nodeMapFile);
            } catch (IOException e) {
                System.err.println("bench: can't delete " + nodeMapFile + ": " + e.getMessage());
            }
        }
    }
}
