package io.dxnet.transport.nio;

import io.dxnet.contract.KilledOwnerContract;

/** The killed owner of a region over TCP. */
class KilledOwnerTest extends KilledOwnerContract {
    @Override
    protected String transport() {
        return "nio";
    }
}
