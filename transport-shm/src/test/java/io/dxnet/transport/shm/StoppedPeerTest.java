package io.dxnet.transport.shm;

import io.dxnet.contract.StoppedPeerContract;

/** A stopped process over shared memory. */
class StoppedPeerTest extends StoppedPeerContract {
    @Override
    protected String transport() {
        return "shm";
    }
}
