package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.MessagingContract;
import io.dxnet.contract.TestKeys;
import java.util.List;

/** The contract suite on TCP with mutual TLS. */
class TlsContractTest extends MessagingContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestKeys.configureShared(builder.transport("nio"));
    }

    @Override
    protected boolean allocatesOnTheWire() {
        return true;
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }
}
