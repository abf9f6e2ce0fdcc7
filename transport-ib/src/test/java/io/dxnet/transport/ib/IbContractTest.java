package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Cluster;
import io.dxnet.contract.MessagingContract;
import java.util.List;

/** The contract suite on the software device. */
class IbContractTest extends MessagingContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("ib").transportOption("ib.device", System.getProperty("dxnet.ib.device", "soft0"));
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return Cluster.localMaps(nodes);
    }
}
