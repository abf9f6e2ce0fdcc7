package io.dxnet.transport.shm;

import io.dxnet.contract.KilledOwnerContract;

/** The killed owner of a region over shared memory. */
class KilledOwnerTest extends KilledOwnerContract {
    @Override
    protected String transport() {
        return "shm";
    }
}
