package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/**
 * Carries out operations on memory of other nodes, one after the other or, from two in a batch on,
 * in chains. Records the time of each operation or chain. Which operation it is, is the subclass's.
 */
abstract class MemorySender extends TimedSender {
    /** Used where bytes are verified. */
    final SlotContent content = new SlotContent();

    private final MemoryTarget[] targets;

    MemorySender(Round round, int thread) {
        super(round, thread);
        long[] keys = round.keys(thread, destinations);
        targets = new MemoryTarget[destinations.length];
        for (int i = 0; i < targets.length; i++) {
            targets[i] = new MemoryTarget(round.memory().region(i), keys[i], Slices.of(spec), thread);
        }
    }

    static MemorySender create(Round round, int thread) {
        return switch (round.spec().pattern()) {
            case READ -> new ReadSender(round, thread);
            case WRITE -> new WriteSender(round, thread);
            case ATOMIC -> new AtomicSender(round, thread);
            case NOTIFY -> new NotifySender(round, thread);
            default -> throw new IllegalArgumentException(round.spec().pattern() + " accesses no memory");
        };
    }

    /** Carries out the operation of slot 0; returns what an atomic returned. */
    abstract long carryOut(MemoryTarget target) throws DXNetException;

    /** Adds the operation of a slot to the target's chain. */
    abstract void addToChain(MemoryTarget target, int slot) throws DXNetException;

    /** With {@code --verify}: prepares the local segment of a slot. */
    abstract void prepare(MemoryTarget target, int slot);

    /**
     * With {@code --verify}: checks the operation of a slot.
     *
     * @param old what an atomic returned
     */
    abstract boolean matches(MemoryTarget target, int slot, long old) throws DXNetException;

    @Override
    final void send(int destinationIndex, int destinationId, long sequence) throws DXNetException {
        MemoryTarget target = targets[destinationIndex];
        if (target.add(sequence)) {
            carryOutAll(target);
        }
    }

    /** Carries out the last chains, which are not whole. */
    @Override
    final void finish() throws DXNetException {
        for (MemoryTarget target : targets) {
            if (target.pending() > 0) {
                carryOutAll(target);
            }
        }
    }

    private void carryOutAll(MemoryTarget target) throws DXNetException {
        if (spec.verify()) {
            for (int slot = 0; slot < target.pending(); slot++) {
                prepare(target, slot);
            }
        }
        try {
            if (spec.batch() == 1) {
                carryOutOne(target);
            } else {
                carryOutChain(target);
            }
        } catch (DXNetException e) {
            throw new DXNetException(failed(target), e);
        }
        target.clear();
    }

    private void carryOutOne(MemoryTarget target) throws DXNetException {
        long start = System.nanoTime();
        long old = carryOut(target);
        record(start);
        if (spec.verify()) {
            check(target, 0, old);
        }
    }

    private void carryOutChain(MemoryTarget target) throws DXNetException {
        long start = System.nanoTime();
        for (int slot = 0; slot < target.pending(); slot++) {
            addToChain(target, slot);
        }
        long[] olds = target.batch().execute();
        record(start);
        if (spec.verify()) {
            for (int slot = 0; slot < target.pending(); slot++) {
                check(target, slot, slot < olds.length ? olds[slot] : 0);
            }
        }
    }

    private void check(MemoryTarget target, int slot, long old) throws DXNetException {
        if (!matches(target, slot, old)) {
            addCorrupted();
        }
    }

    private String failed(MemoryTarget target) {
        String chain = spec.batch() == 1 ? "" : "a chain of " + target.pending() + ", each ";
        return chain + spec.pattern().label() + " of " + spec.size() + " bytes of region "
                + target.region().name() + " of node " + target.region().owner() + " failed";
    }
}
