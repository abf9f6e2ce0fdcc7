package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.CallbackContract;
import java.util.List;

/** The application's code on the loopback transport. */
class LoopbackCallbackTest extends CallbackContract {
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
