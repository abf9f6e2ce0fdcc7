package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/**
 * Adds 1 to the first eight bytes of regions of other nodes: one counter for all threads.
 * With {@code --verify}, checks that each addition finds a larger counter than the one before.
 */
final class AtomicSender extends MemorySender {
    /** Where the counter is in the region. */
    static final long COUNTER = 0;

    AtomicSender(Round round, int thread) {
        super(round, thread);
    }

    @Override
    long carryOut(MemoryTarget target) throws DXNetException {
        return target.region().fetchAdd(COUNTER, 1);
    }

    @Override
    void addToChain(MemoryTarget target, int slot) throws DXNetException {
        target.batch().fetchAdd(COUNTER, 1);
    }

    @Override
    void prepare(MemoryTarget target, int slot) {}

    @Override
    boolean matches(MemoryTarget target, int slot, long old) {
        return target.isLarger(old);
    }
}
