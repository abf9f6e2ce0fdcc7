package io.dxnet.transport.nio;

import io.dxnet.contract.KilledPeerContract;

/** A killed process over TCP. */
class KilledPeerTest extends KilledPeerContract {
    @Override
    protected String transport() {
        return "nio";
    }
}
