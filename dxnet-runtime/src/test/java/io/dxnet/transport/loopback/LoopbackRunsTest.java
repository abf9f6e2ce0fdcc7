package io.dxnet.transport.loopback;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.RunsContract;
import java.util.List;

/** Connections and runs that follow one another. */
class LoopbackRunsTest extends RunsContract {
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
