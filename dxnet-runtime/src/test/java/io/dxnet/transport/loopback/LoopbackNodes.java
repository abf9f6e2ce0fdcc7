package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The nodes of one test: a cluster of its own, because all loopback nodes are in this process. */
final class LoopbackNodes {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    private String cluster;

    DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("loopback").clusterName(cluster);
    }

    List<NodeMap> maps(int nodes) {
        cluster = "test-" + CLUSTERS.incrementAndGet();
        List<NodeMap> maps = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            maps.add(new NodeMap(i));
        }
        return maps;
    }
}
