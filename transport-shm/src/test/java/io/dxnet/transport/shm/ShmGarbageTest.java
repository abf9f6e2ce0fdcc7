package io.dxnet.transport.shm;

import io.dxnet.attack.GarbageContract;

/** Garbage, cuts and floods on shared memory's side channel. */
class ShmGarbageTest extends GarbageContract {
    ShmGarbageTest() {
        super("shm", builder -> builder.transport("shm"));
    }
}
