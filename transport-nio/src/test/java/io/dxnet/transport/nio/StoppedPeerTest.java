package io.dxnet.transport.nio;

import io.dxnet.contract.StoppedPeerContract;

/** A stopped process over TCP. */
class StoppedPeerTest extends StoppedPeerContract {
    @Override
    protected String transport() {
        return "nio";
    }
}
