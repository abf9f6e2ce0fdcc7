package io.dxnet.transport.shm;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.MessagingContract;
import io.dxnet.contract.TestKeys;
import java.util.List;

/** The contract suite on shared memory, with mutual TLS on the side channels. */
class TlsContractTest extends MessagingContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return TestKeys.configureShared(builder.transport("shm"));
    }

    @Override
    protected boolean allocatesOnTheWire() {
        return true; // javax.net.ssl, for each wake-up
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }
}
