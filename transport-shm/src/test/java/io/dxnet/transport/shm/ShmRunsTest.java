package io.dxnet.transport.shm;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.RunsContract;
import java.util.List;

/** Connections and runs that follow one another. */
class ShmRunsTest extends RunsContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("shm");
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }
}
