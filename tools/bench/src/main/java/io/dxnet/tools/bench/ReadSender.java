package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/** Reads memory of other nodes. With {@code --verify}, the owner has filled it. */
final class ReadSender extends MemorySender {
    ReadSender(Round round, int thread) {
        super(round, thread);
    }

    @Override
    long carryOut(MemoryTarget target) throws DXNetException {
        target.region().read(target.offset(0), target.local(0));
        return 0;
    }

    @Override
    void addToChain(MemoryTarget target, int slot) throws DXNetException {
        target.batch().read(target.offset(slot), target.local(slot));
    }

    /** Removes what the last read of this slot brought. */
    @Override
    void prepare(MemoryTarget target, int slot) {
        target.local(slot)[0].fill((byte) 0);
    }

    @Override
    boolean matches(MemoryTarget target, int slot, long old) {
        return content.matches(target.local(slot)[0], target.key(), target.slot(slot));
    }
}
