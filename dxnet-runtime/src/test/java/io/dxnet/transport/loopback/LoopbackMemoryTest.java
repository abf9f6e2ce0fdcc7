package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.RemoteMemoryContract;
import java.util.List;

/** Remote memory on the loopback transport. */
class LoopbackMemoryTest extends RemoteMemoryContract {
    private final LoopbackNodes nodes = new LoopbackNodes();

    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return nodes.configure(builder);
    }

    @Override
    protected List<NodeMap> maps(int count) {
        return nodes.maps(count);
    }
}
