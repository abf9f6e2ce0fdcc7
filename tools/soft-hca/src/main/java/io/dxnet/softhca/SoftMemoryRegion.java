package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_mr;

/**
 * {@code ibv_mr}: memory that the device may touch. Its key is its
 * handle and a counter, so that a key of before does not fit.
 */
final class SoftMemoryRegion extends SoftObject {
    private static final int COUNTER_BITS = 8;

    private static int counter;

    private final SoftProtectionDomain domain;
    private final SoftProtectionDomain base;
    private final long start;
    private final long length;
    private final long keyStart;
    private final int access;

    /** 0 before there is one. */
    private int key;

    /** How many windows are bound to it, and whether more may be; guarded by the monitor. */
    private int windows;

    private boolean refusesWindows;

    /**
     * @param start the memory's address
     * @param keyStart the address that work requests use for it (its {@code iova})
     */
    SoftMemoryRegion(SoftProtectionDomain domain, long start, long length, long keyStart, int access) {
        super(domain.context);
        this.domain = domain;
        this.base = domain.base();
        this.start = start;
        this.length = length;
        this.keyStart = keyStart;
        this.access = access;
    }

    /**
     * Returns what replaces this region when its domain or its access changes: of the same memory,
     * with the same key.
     */
    SoftMemoryRegion changed(SoftProtectionDomain newDomain, int newAccess) {
        SoftMemoryRegion changed = new SoftMemoryRegion(newDomain, start, length, keyStart, newAccess);
        changed.key = key;
        return changed;
    }

    /** Returned by {@link #resolve} where a key does not fit; no memory begins there. */
    static final long NO_ACCESS = -1;

    /**
     * Checks a key; returns the address of the memory that
     * {@code address} stands for, or {@link #NO_ACCESS}.
     *
     * @param key the local or remote key (they are the same here)
     * @param domain the protection domain of the queue pair
     * @param access what the key must allow
     */
    static long resolve(int key, long address, long bytes, SoftProtectionDomain domain, int access) {
        SoftMemoryRegion region = Fabric.MEMORY_REGIONS.withHandle(key >>> COUNTER_BITS);
        return region == null || region.key != key ? NO_ACCESS : region.resolve(address, bytes, domain, access);
    }

    /** As the static method, with a key that fits. */
    long resolve(long address, long bytes, SoftProtectionDomain user, int needed) {
        long offset = address - keyStart;
        boolean fits = offset >= 0 && bytes <= length - offset;
        return fits && base == user.base() && (access & needed) == needed ? start + offset : NO_ACCESS;
    }

    /** A window is about to be bound to this; returns whether it may be. */
    synchronized boolean addWindow() {
        if (!refusesWindows) {
            windows++;
        }
        return !refusesWindows;
    }

    synchronized void removeWindow() {
        windows--;
    }

    /** From now on no window is bound to this; fails with {@code EBUSY} while one is. */
    synchronized void refuseWindows() {
        if (windows > 0) {
            throw new VerbError(Ibv.EBUSY);
        }
        refusesWindows = true;
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    long start() {
        return start;
    }

    long length() {
        return length;
    }

    int access() {
        return access;
    }

    @Override
    void writeStruct() {
        if (key == 0) {
            key = handle() << COUNTER_BITS | (++counter & ((1 << COUNTER_BITS) - 1));
        }
        long at = address();
        Memory.putLong(at + ibv_mr.context$offset(), context.address());
        Memory.putLong(at + ibv_mr.pd$offset(), domain.address());
        Memory.putLong(at + ibv_mr.addr$offset(), start);
        Memory.putLong(at + ibv_mr.length$offset(), length);
        Memory.putInt(at + ibv_mr.handle$offset(), handle());
        Memory.putInt(at + ibv_mr.lkey$offset(), key);
        Memory.putInt(at + ibv_mr.rkey$offset(), key);
    }
}
