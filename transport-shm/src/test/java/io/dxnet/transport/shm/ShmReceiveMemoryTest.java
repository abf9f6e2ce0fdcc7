package io.dxnet.transport.shm;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.ReceiveMemoryContract;
import java.util.List;

/** Receive memory on shared memory. */
class ShmReceiveMemoryTest extends ReceiveMemoryContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("shm");
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }
}
