package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.MessagingContract;
import io.dxnet.contract.TestKeys;
import java.util.List;

/** The contract suite on the device of {@link TestDevice}, with mutual TLS beside the verbs. */
class TlsContractTest extends MessagingContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestKeys.configureShared(TestDevice.configure(builder));
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return TestDevice.maps(nodes);
    }
}
