package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.ValueContract;
import java.util.List;

/** Values on the device of {@link TestDevice}. */
class IbValueTest extends ValueContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestDevice.configure(builder);
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return TestDevice.maps(nodes);
    }
}
