package io.dxnet.transport.shm;

import io.dxnet.contract.KilledPeerContract;

/** A killed process over shared memory. */
class KilledPeerTest extends KilledPeerContract {
    @Override
    protected String transport() {
        return "shm";
    }
}
