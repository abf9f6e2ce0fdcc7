package io.dxnet.tools.bench;

import io.dxnet.DXNetException;

/**
 * Carries out operations on memory of other nodes, one after the other or, from two in a batch on,
 * in chains. Records the time of each operation or chain. Which operation it is, is the subclass's.
 */
abstract class MemorySender extends TimedSender {
    /** Used where bytes are verified. */
    final SlotContent content = new SlotContent();

    /** By destination: one for each chain that may be under way. */
    private final MemoryTarget[][] targets;
    /** By destination: which of them has the next operation. It was used before the others. */
    private final int[] next;
    /** What a lone operation returned: no garbage of the measurement's own. */
    private final long[] single = new long[1];

    MemorySender(Round round, int thread) {
        super(round, thread);
        long[] keys = round.keys(thread, destinations);
        targets = new MemoryTarget[destinations.length][spec.chains()];
        next = new int[destinations.length];
        for (int i = 0; i < targets.length; i++) {
            for (int chain = 0; chain < spec.chains(); chain++) {
                targets[i][chain] = new MemoryTarget(
                        round.memory().region(i), keys[i], Slices.of(spec), thread, chain * spec.batch(), spec.batch());
            }
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
        MemoryTarget target = targets[destinationIndex][next[destinationIndex]];
        if (target.isUnderWay()) {
            end(target);
        }
        if (target.add(sequence)) {
            begin(target);
            next[destinationIndex] = (next[destinationIndex] + 1) % spec.chains();
        }
    }

    /** Begins the last chains, which are not whole, and ends all. */
    @Override
    final void finish() throws DXNetException {
        for (MemoryTarget[] ofDestination : targets) {
            for (MemoryTarget target : ofDestination) {
                if (target.pending() > 0 && !target.isUnderWay()) {
                    begin(target);
                }
            }
            for (MemoryTarget target : ofDestination) {
                if (target.isUnderWay()) {
                    end(target);
                }
            }
        }
    }

    /** Carries the operations out, or posts them where several chains may be under way. */
    private void begin(MemoryTarget target) throws DXNetException {
        if (spec.verify()) {
            for (int slot = 0; slot < target.pending(); slot++) {
                prepare(target, slot);
            }
        }
        try {
            long start = System.nanoTime();
            if (spec.slots() == 1) {
                single[0] = carryOut(target);
                ended(target, start, single);
                return;
            }
            for (int slot = 0; slot < target.pending(); slot++) {
                addToChain(target, slot);
            }
            if (spec.chains() == 1) {
                ended(target, start, target.batch().execute());
            } else {
                target.post(start);
            }
        } catch (DXNetException e) {
            throw new DXNetException(failed(target), e);
        }
    }

    /** Waits for the chain under way. */
    private void end(MemoryTarget target) throws DXNetException {
        try {
            ended(target, target.startNs(), target.await());
        } catch (DXNetException e) {
            throw new DXNetException(failed(target), e);
        }
    }

    private void ended(MemoryTarget target, long start, long... olds) throws DXNetException {
        record(start);
        if (spec.verify()) {
            for (int slot = 0; slot < target.pending(); slot++) {
                check(target, slot, slot < olds.length ? olds[slot] : 0);
            }
        }
        target.clear();
    }

    private void check(MemoryTarget target, int slot, long old) throws DXNetException {
        if (!matches(target, slot, old)) {
            addCorrupted();
        }
    }

    private String failed(MemoryTarget target) {
        String chain = spec.slots() == 1 ? "" : "a chain of " + target.pending() + ", each ";
        return chain + spec.pattern().label() + " of " + spec.size() + " bytes of region "
                + target.region().name() + " of node " + target.region().owner() + " failed";
    }
}
