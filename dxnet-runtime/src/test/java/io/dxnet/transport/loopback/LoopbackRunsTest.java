package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.RunsContract;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections and runs that follow one another. */
class LoopbackRunsTest extends RunsContract {
    private static final AtomicInteger CLUSTERS = new AtomicInteger();

    private String cluster;

    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("loopback").clusterName(cluster);
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        cluster = "callback-" + CLUSTERS.incrementAndGet();
        List<NodeMap> maps = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            maps.add(new NodeMap(i));
        }
        return maps;
    }
}
