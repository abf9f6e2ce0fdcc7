package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.ValueContract;
import java.util.List;

/** Values on the loopback transport. */
class LoopbackValueTest extends ValueContract {
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
