package io.dxnet.transport.shm;

import io.dxnet.attack.AttackContract;

/** The attacks on shared memory's side channel. */
class ShmAttackTest extends AttackContract {
    ShmAttackTest() {
        super("shm", builder -> builder.transport("shm"));
    }

    /** The file of the recorded ring is removed. */
    @Override
    protected Replay replay() {
        return Replay.NOTHING;
    }
}
