package io.dxnet.transport.shm;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.RemoteMemoryContract;
import java.util.List;

/** Remote memory on shared memory. */
class ShmMemoryTest extends RemoteMemoryContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("shm");
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }
}
