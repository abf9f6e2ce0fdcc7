package io.dxnet.tools.ledger;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.tools.bench.nodes.NodeMaps;
import io.dxnet.tools.ledger.node.LedgerNode;
import io.dxnet.tools.ledger.node.NodeSpec;
import java.io.IOException;
import java.util.List;

/** A node in this process. */
final class LocalHost implements Host {
    private final NodeSpec spec;
    private final LedgerNode node;
    private final DXNetConfig config;

    LocalHost(NodeSpec spec, DXNetConfig config, List<String> addresses) {
        this.spec = spec;
        this.config = config;
        this.node = new LedgerNode(spec, config, map(spec.node(), addresses));
    }

    /** Free addresses of this machine for so many nodes. */
    static List<String> addresses(int nodes) throws IOException {
        return NodeMaps.addresses(nodes, List.of("127.0.0.1"));
    }

    /** The node map of a node. */
    static NodeMap map(int node, List<String> addresses) {
        NodeMap map = new NodeMap(node);
        for (int i = 0; i < addresses.size(); i++) {
            map.put(i, addresses.get(i));
        }
        return map;
    }

    @Override
    public NodeSpec spec() {
        return spec;
    }

    @Override
    public void startTraffic() {
        node.startTraffic();
    }

    @Override
    public void stopTraffic() {
        node.stopTraffic();
    }

    @Override
    public void disconnect(int peer) {
        node.disconnect(peer);
    }

    @Override
    public void slow(int ms) {
        node.slow(ms);
    }

    @Override
    public void moved(int peer, String address) {
        node.moved(peer, address);
    }

    @Override
    public void beginLinkFault(long seed) {
        new SoftLinkFaults(config).begin(seed);
    }

    @Override
    public void endLinkFaults() {
        new SoftLinkFaults(config).end();
    }

    @Override
    public void close() {
        node.close();
    }

    @Override
    public void discard() {
        node.closeBooks();
    }
}
