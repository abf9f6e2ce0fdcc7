package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;

/** Receive memory, each node on a software device of its own on the wire. */
class WireReceiveMemoryTest extends ReceiveMemoryTest {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return WireDevices.inTurn(super.configure(builder));
    }
}
