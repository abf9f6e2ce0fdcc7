package io.dxnet.transport.ib;

import io.dxnet.DXNetConfig;

/** Connections and runs that follow one another, on software devices on the wire. */
class WireRunsTest extends IbRunsTest {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return WireDevices.inTurn(super.configure(builder));
    }
}
