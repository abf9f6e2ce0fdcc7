package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/** Writes to memory of other nodes and notifies them; the value is the number of the operation. */
final class NotifySender extends WriteSender {
    NotifySender(Round round, int thread) {
        super(round, thread);
    }

    @Override
    long carryOut(MemoryTarget target) throws DXNetException {
        target.region().writeAndNotify(target.offset(0), target.local(0)[0], (int) target.number(0));
        return 0;
    }

    @Override
    void addToChain(MemoryTarget target, int slot) throws DXNetException {
        target.batch().writeAndNotify(target.offset(slot), target.local(slot)[0], (int) target.number(slot));
    }
}
