package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;
import io.dxnet.NodeMap;
import io.dxnet.contract.Ports;
import io.dxnet.contract.ReceiveMemoryContract;
import java.util.List;

/** Receive memory on the device that {@link IbNodes} names. */
class ReceiveMemoryTest extends ReceiveMemoryContract {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return IbNodes.configure(builder);
    }

    /** A receive pool of 512 KiB. */
    @Override
    protected DXNetConfig.Builder littleMemory(DXNetConfig.Builder builder) {
        return builder.flowControlWindowBytes(256 << 10)
                .transportOption("ib.sharedReceiveRequests", "16")
                .transportOption("ib.receiveSges", "2")
                .transportOption("ib.receiveBufferBytes", "8K")
                .transportOption("ib.receivePoolBytes", "512K");
    }

    @Override
    protected List<NodeMap> maps(int nodes) {
        return IbNodes.maps(Ports.addresses(nodes));
    }
}
