package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.RunsContract;
import java.util.List;

/** Connections and runs that follow one another. */
class IbRunsTest extends RunsContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestDevice.configure(builder);
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return TestDevice.maps(nodes);
    }
}
