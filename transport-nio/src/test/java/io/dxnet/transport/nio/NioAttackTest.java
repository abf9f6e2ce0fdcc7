package io.dxnet.transport.nio;

import io.dxnet.attack.AttackContract;

/** The attacks on TCP. */
class NioAttackTest extends AttackContract {
    NioAttackTest() {
        super("nio", builder -> builder.transport("nio"));
    }
}
