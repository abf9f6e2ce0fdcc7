package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.contract.ChaosSoak;

/** The soak test over TCP. */
class ChaosSoakTest extends ChaosSoak {
    @Override
    protected DXNetConfig.Builder settings(DXNetConfig.Builder builder) {
        return builder.transport("nio");
    }
}
