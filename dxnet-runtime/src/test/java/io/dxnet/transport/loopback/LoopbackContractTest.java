package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.MessagingContract;
import java.util.List;

/** The contract suite on the loopback transport. */
class LoopbackContractTest extends MessagingContract {
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
