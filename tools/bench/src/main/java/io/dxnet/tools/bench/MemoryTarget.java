package io.dxnet.tools.bench;

import io.dxnet.DXNetException;
import io.dxnet.memory.Batch;
import io.dxnet.memory.RemoteRegion;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The region of one owner, as one thread accesses it with one chain at a time: for each operation
 * the slot in the region and a local segment of the same size. Used by that thread.
 */
final class MemoryTarget {
    private static final int ALIGNMENT = 64;
    private static final long PATIENCE_S = 60;

    private final RemoteRegion region;
    private final Batch batch;
    private final long key;
    private final Slices slices;
    private final int thread;
    private final int firstSlot;
    /** By slot; arrays, because the region's methods expect them. */
    private final MemorySegment[][] local;

    /** Of the operations that are to be carried out, the number of the first. */
    private long first;

    private int pending;
    /** What the last atomic found. */
    private long found = -1;

    /** Of the chain under way; else null. */
    private CompletableFuture<long[]> future;

    private long startNs;

    /**
     * Slots of a thread.
     *
     * @param firstSlot the first of those
     * @param batch how many
     */
    MemoryTarget(RemoteRegion region, long key, Slices slices, int thread, int firstSlot, int batch) {
        this.region = region;
        this.batch = region.batch();
        this.key = key;
        this.slices = slices;
        this.thread = thread;
        this.firstSlot = firstSlot;
        this.local = new MemorySegment[batch][1];
        Slices own = new Slices(slices.size(), 1, batch);
        MemorySegment all = Arena.ofAuto().allocate(own.bytes(), ALIGNMENT);
        for (int slot = 0; slot < local.length; slot++) {
            local[slot][0] = all.asSlice(own.offset(0, slot), slices.size());
        }
    }

    RemoteRegion region() {
        return region;
    }

    /** The chain, empty unless one is being made. */
    Batch batch() {
        return batch;
    }

    /** The stream key of what the thread writes to this owner, and reads of it. */
    long key() {
        return key;
    }

    /** Where a slot begins in the region, bytes. */
    long offset(int slot) {
        return slices.offset(thread, slot(slot));
    }

    /** The number of a slot among those of the thread. */
    int slot(int slot) {
        return firstSlot + slot;
    }

    /** The local segment of a slot. */
    MemorySegment[] local(int slot) {
        return local[slot];
    }

    /** The number of a slot's operation. */
    long number(int slot) {
        return first + slot;
    }

    /** The operations that are to be carried out; they have the first slots. */
    int pending() {
        return pending;
    }

    /** Adds an operation; returns whether the chain is whole. */
    boolean add(long number) {
        if (pending == 0) {
            first = number;
        }
        pending++;
        return pending == local.length;
    }

    /** Records what an atomic found; returns whether it is larger than at the last call. */
    boolean isLarger(long value) {
        boolean isLarger = value > found;
        found = value;
        return isLarger;
    }

    /** Posts the chain that was begun at {@code startNs}. */
    void post(long start) {
        startNs = start;
        future = batch.post();
    }

    boolean isUnderWay() {
        return future != null;
    }

    /** When the chain was begun. */
    long startNs() {
        return startNs;
    }

    /** Waits for the chain under way; returns what atomics returned. */
    long[] await() throws DXNetException {
        try {
            return future.get(PATIENCE_S, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new DXNetException(e.getCause().getMessage(), e.getCause());
        } catch (TimeoutException e) {
            throw new DXNetException("a chain is not complete after " + PATIENCE_S + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DXNetException("interrupted while a chain was under way", e);
        } finally {
            future = null;
        }
    }

    /** The operations have been carried out. */
    void clear() {
        pending = 0;
    }
}
