package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_mw;

/**
 * {@code ibv_mw} of type 2B: while it is bound, its key allows the peer of one queue pair a part of
 * a memory region. Its key is its handle, above those of regions, and the tag of the last bind.
 *
 * <p>A thread that binds, unbinds or resolves a key holds the responder lock of that queue pair: no
 * transfer of before is running when a window is unbound.
 */
final class SoftMemoryWindow extends SoftObject {
    private static final int TAG_BITS = 8;
    private static final int TAG = (1 << TAG_BITS) - 1;

    /** Set in the handle of a key: no region has such a handle. */
    private static final int WINDOW = 1 << 23;

    private static final int CHANGES = Ibv.IBV_ACCESS_REMOTE_WRITE | Ibv.IBV_ACCESS_REMOTE_ATOMIC;
    private static final int KNOWN_ACCESS = CHANGES | Ibv.IBV_ACCESS_REMOTE_READ | Ibv.IBV_ACCESS_ZERO_BASED;

    /** The first tag of each window is another: a key of a window that is gone does not fit. */
    private static int counter;

    private final SoftProtectionDomain domain;

    /** Null while not bound; written under the monitor and the queue pair's responder lock. */
    private volatile SoftQueuePair qp;

    /** All below is of the bind: written with {@link #qp}, read under its responder lock. */
    private SoftMemoryRegion region;

    private long start;
    private long length;
    private long keyStart;
    private int access;
    private int key;

    SoftMemoryWindow(SoftProtectionDomain domain) {
        super(domain.context);
        this.domain = domain;
    }

    static boolean isKey(int key) {
        return (key >>> TAG_BITS & WINDOW) != 0;
    }

    private static SoftMemoryWindow withKey(int key) {
        return isKey(key) ? Fabric.MEMORY_WINDOWS.withHandle(key >>> TAG_BITS & ~WINDOW) : null;
    }

    /**
     * Checks a key; returns the address of the memory that {@code address} stands for, or
     * {@link SoftMemoryRegion#NO_ACCESS}. Under the responder lock of {@code user}.
     */
    static long resolve(int key, long address, long bytes, SoftQueuePair user, int access) {
        SoftMemoryWindow window = withKey(key);
        boolean bound = window != null && window.qp == user && window.key == key;
        return bound ? window.resolve(address, bytes, access) : SoftMemoryRegion.NO_ACCESS;
    }

    private long resolve(long address, long bytes, int needed) {
        long offset = address - keyStart;
        boolean fits = offset >= 0 && bytes <= length - offset;
        return fits && (access & needed) == needed ? start + offset : SoftMemoryRegion.NO_ACCESS;
    }

    /**
     * Binds the window as an {@code ibv_send_wr} demands. Under the responder lock of {@code by}.
     *
     * @return whether it may be bound so
     */
    static boolean bind(long wr, SoftQueuePair by) {
        SoftMemoryWindow window = Fabric.MEMORY_WINDOWS.at(Memory.getLong(wr + Offsets.BIND_MW));
        SoftMemoryRegion to = Fabric.MEMORY_REGIONS.at(Memory.getLong(wr + Offsets.BIND_MR));
        return window != null && to != null && window.bind(wr, to, by);
    }

    private synchronized boolean bind(long wr, SoftMemoryRegion to, SoftQueuePair by) {
        int newKey = Memory.getInt(wr + Offsets.BIND_RKEY);
        int rights = Memory.getInt(wr + Offsets.BIND_ACCESS);
        long first = Memory.getLong(wr + Offsets.BIND_ADDR);
        long bytes = Memory.getLong(wr + Offsets.BIND_LENGTH);
        boolean isOwn = domain.base() == by.base() && ((newKey ^ key) & ~TAG) == 0;
        if (isGone() || qp != null || !isOwn || !maySpan(to, first, bytes, rights, by) || !to.addWindow()) {
            return false;
        }
        region = to;
        start = to.resolve(first, bytes, by.base(), 0);
        length = bytes;
        keyStart = (rights & Ibv.IBV_ACCESS_ZERO_BASED) != 0 ? 0 : first;
        access = rights;
        key = newKey;
        Memory.putInt(address() + ibv_mw.rkey$offset(), newKey);
        qp = by;
        return true;
    }

    private static boolean maySpan(SoftMemoryRegion to, long first, long bytes, int rights, SoftQueuePair by) {
        int needed = Ibv.IBV_ACCESS_MW_BIND | ((rights & CHANGES) != 0 ? Ibv.IBV_ACCESS_LOCAL_WRITE : 0);
        return bytes > 0
                && (rights & ~KNOWN_ACCESS) == 0
                && to.resolve(first, bytes, by.base(), needed) != SoftMemoryRegion.NO_ACCESS;
    }

    /**
     * Ends what the key allows. Under the responder lock of {@code by}, which has bound the window.
     *
     * @return whether a window was bound with this key by this queue pair
     */
    static boolean invalidate(int key, SoftQueuePair by) {
        SoftMemoryWindow window = withKey(key);
        return window != null && window.unbind(key, by);
    }

    private synchronized boolean unbind(int boundKey, SoftQueuePair by) {
        if (qp != by || key != boundKey) {
            return false;
        }
        release();
        return true;
    }

    private void release() {
        qp = null;
        region.removeWindow();
        region = null;
    }

    /**
     * Unbinds the window if it is bound; no transfer uses it any more then. Under the control lock
     * alone.
     */
    void unbind() {
        SoftQueuePair by = qp;
        if (by != null) {
            by.responder().lock().lock();
            try {
                releaseFrom(by);
            } finally {
                by.responder().lock().unlock();
            }
        }
    }

    private synchronized void releaseFrom(SoftQueuePair by) {
        if (qp == by) {
            release();
        }
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    /** The queue pair that has bound it, or null. */
    SoftQueuePair boundBy() {
        return qp;
    }

    @Override
    void writeStruct() {
        key = (WINDOW | handle()) << TAG_BITS | (++counter & TAG);
        long at = address();
        Memory.putLong(at + ibv_mw.context$offset(), context.address());
        Memory.putLong(at + ibv_mw.pd$offset(), domain.address());
        Memory.putInt(at + ibv_mw.rkey$offset(), key);
        Memory.putInt(at + ibv_mw.handle$offset(), handle());
        Memory.putInt(at + ibv_mw.type$offset(), Ibv.IBV_MW_TYPE_2);
    }
}
