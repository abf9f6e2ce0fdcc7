package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.RemoteMemoryContract;
import java.util.List;

/** Remote memory on the device of {@link TestDevice}. */
class IbMemoryTest extends RemoteMemoryContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestDevice.configure(builder);
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return TestDevice.maps(nodes);
    }
}
