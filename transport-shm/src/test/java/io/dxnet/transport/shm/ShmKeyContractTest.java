package io.dxnet.transport.shm;

import io.dxnet.DXNetConfig;
import io.dxnet.attack.Protection;

/** The contract suite where each node proves that it has the cluster's key. */
class ShmKeyContractTest extends ShmContractTest {
    @Override
    protected DXNetConfig.Builder configure(DXNetConfig.Builder builder) {
        return Protection.KEY.member(super.configure(builder));
    }
}
