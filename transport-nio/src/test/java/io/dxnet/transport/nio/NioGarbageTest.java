package io.dxnet.transport.nio;

import io.dxnet.attack.GarbageContract;

/** Garbage, cuts and floods on TCP. */
class NioGarbageTest extends GarbageContract {
    NioGarbageTest() {
        super("nio", builder -> builder.transport("nio"));
    }
}
