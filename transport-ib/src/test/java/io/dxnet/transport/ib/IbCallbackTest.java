package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.CallbackContract;
import java.util.List;

/** The application's code on the device of {@link TestDevice}. */
class IbCallbackTest extends CallbackContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestDevice.configure(builder);
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return TestDevice.maps(nodes);
    }
}
