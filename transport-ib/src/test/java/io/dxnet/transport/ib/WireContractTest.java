package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;

/** The contract suite, each node on a software device of its own on the wire. */
class WireContractTest extends IbContractTest {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return WireDevices.inTurn(super.configure(builder));
    }
}
