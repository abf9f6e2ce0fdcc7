package io.dxnet.transport.nio;

import io.dxnet.DXNetConfig;
import io.dxnet.attack.AttackContract;

/** The attacks on TCP. */
class NioAttackTest extends AttackContract {
    @Override
    protected String transport() {
        return "nio";
    }

    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return builder.transport("nio");
    }
}
