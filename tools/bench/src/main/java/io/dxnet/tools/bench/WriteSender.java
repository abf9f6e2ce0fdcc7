package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/** Writes to memory of other nodes. With {@code --verify}, reads back what it wrote. */
class WriteSender extends MemorySender {
    WriteSender(Round round, int thread) {
        super(round, thread);
    }

    @Override
    long carryOut(MemoryTarget target) throws DXNetException {
        target.region().write(target.offset(0), target.local(0));
        return 0;
    }

    @Override
    void addToChain(MemoryTarget target, int slot) throws DXNetException {
        target.batch().write(target.offset(slot), target.local(slot));
    }

    @Override
    final void prepare(MemoryTarget target, int slot) {
        content.fill(target.local(slot)[0], target.key(), target.number(slot));
    }

    @Override
    final boolean matches(MemoryTarget target, int slot, long old) throws DXNetException {
        target.local(slot)[0].fill((byte) 0);
        target.region().read(target.offset(slot), target.local(slot));
        return content.matches(target.local(slot)[0], target.key(), target.number(slot));
    }
}
