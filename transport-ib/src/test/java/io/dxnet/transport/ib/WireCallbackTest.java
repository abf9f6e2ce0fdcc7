package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;

/** The application's code, each node on a software device of its own on the wire. */
class WireCallbackTest extends IbCallbackTest {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return WireDevices.inTurn(super.configure(builder));
    }
}
