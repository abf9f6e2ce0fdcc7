package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.ValueContract;
import java.util.List;

/** Values on TCP. */
class NioValueTest extends ValueContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio");
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }
}
