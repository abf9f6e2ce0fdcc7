package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;

/** Values, each node on a software device of its own on the wire. */
class WireValueTest extends IbValueTest {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return WireDevices.inTurn(super.configure(builder));
    }
}
