package io.dxnet.transport.ib;

import io.dxnet.attack.GarbageContract;
import org.junit.jupiter.api.BeforeAll;

/** Garbage, cuts and floods on the handshake that connects queue pairs. */
class IbGarbageTest extends GarbageContract {
    IbGarbageTest() {
        super("ib", IbNodes::configure);
    }

    @BeforeAll
    static void onTheSoftwareDevice() {
        IbNodes.assumeSoftware();
    }
}
