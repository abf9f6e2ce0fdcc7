package io.dxnet.transport.ib;

import io.dxnet.attack.AttackContract;
import org.junit.jupiter.api.BeforeAll;

/** The attacks on the handshake that connects queue pairs. */
class IbAttackTest extends AttackContract {
    /** In the hello: after its 56 bytes, "dxnet" and "ib", the first of the packet number. */
    private static final int PSN_BYTE = 56 + 5 + 2 + 4;

    IbAttackTest() {
        super("ib", IbNodes::configure);
    }

    @BeforeAll
    static void onTheSoftwareDevice() {
        IbNodes.assumeSoftware();
    }

    @Override
    protected int unnoticedHelloByte() {
        return PSN_BYTE;
    }

    /** The recorded queue pair is gone: what arrives on the new one is nothing. */
    @Override
    protected Replay replay() {
        return Replay.CONNECTION;
    }
}
