package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_mw;
import io.dxnet.ibverbs.raw.verbs_h;

/**
 * A memory window of type 2 ({@code struct ibv_mw}; {@code man ibv_alloc_mw}): a key that allows
 * peers a part of a memory region, with rights of its own, until it is invalidated. Neither the
 * region nor a connection has to end for that.
 *
 * <p>A new window allows nothing. {@link SendChain#bind} binds it to a part of a region,
 * {@link SendChain#invalidate} ends that and {@link SendChain#sendInvalidating} lets the peer end
 * it; both are requests of the queue pair that posted the bind ({@code man ibv_post_send}). Then it
 * may be bound again, with another key. {@link #close()} ends the access too. On a device of
 * {@link WindowCapability#TYPE_2B}, only the peer of the queue pair that posted the bind can use
 * the key.
 *
 * {@snippet :
 * MemoryRegion region = domain.allocate(1 << 20, Access.LOCAL_WRITE, Access.MW_BIND);
 * MemoryWindow window = domain.allocateMemoryWindow();
 * SendChain chain = new SendChain(1, 0);
 * queuePair.postSend(chain.bind(1, window, region, 4096, 512, Access.REMOTE_READ).signaled());
 * // When the completion of 1 is a success, the peer may read 512 bytes with this key.
 * int key = window.remoteKey();
 * queuePair.postSend(chain.clear().invalidate(2, key).signaled());
 * // When the completion of 2 is a success, the key allows nothing any more.
 * }
 *
 * <p>rxe of Linux 6.1 checks the rights and the key, but the range of the region instead of that of
 * the window: there, a window protects no other part of its region.
 *
 * <p>A region cannot be closed while a window is bound to it ({@code man ibv_dereg_mr}). Closing
 * the queue pair that posted the last bind closes the window first, and so does closing the
 * protection domain. Any thread may call; one thread at a time posts binds of one window.
 */
public final class MemoryWindow extends Resource {
    /** The part of a key that each bind changes. */
    private static final int TAG = 0xff;

    private static final int RIGHTS = verbs_h.IBV_ACCESS_REMOTE_WRITE()
            | verbs_h.IBV_ACCESS_REMOTE_READ()
            | verbs_h.IBV_ACCESS_REMOTE_ATOMIC()
            | verbs_h.IBV_ACCESS_ZERO_BASED();
    private static final int CHANGES = verbs_h.IBV_ACCESS_REMOTE_WRITE() | verbs_h.IBV_ACCESS_REMOTE_ATOMIC();

    private final ProtectionDomain domain;
    private final long address;

    /** Written by the thread that posts binds. */
    private volatile int remoteKey;

    /** The queue pair that posted the last bind, or null; written by the same thread. */
    private volatile QueuePair boundBy;

    private MemoryWindow(ProtectionDomain domain, long address) {
        super(domain);
        this.domain = domain;
        this.address = address;
        this.remoteKey = Memory.getInt(address + ibv_mw.rkey$offset());
    }

    static MemoryWindow allocate(ProtectionDomain domain) {
        Context context = domain.context();
        NativeFunction allocate = context.windowCalls().allocate();
        if (allocate == null) {
            throw new VerbsException("ibv_alloc_mw", verbs_h.EOPNOTSUPP(), whatToDo(context, verbs_h.EOPNOTSUPP()));
        }
        domain.enter();
        try {
            long address =
                    allocate.pointer(errno -> whatToDo(context, errno), domain.address(), verbs_h.IBV_MW_TYPE_2());
            return attached(context.windowCalls().free(), address, () -> {
                Abi.checkOwner("ibv_mw", context.address(), Memory.getLong(address + ibv_mw.context$offset()));
                return new MemoryWindow(domain, address);
            });
        } finally {
            domain.exit();
        }
    }

    private static String whatToDo(Context context, int errno) {
        if (errno == verbs_h.EOPNOTSUPP() || errno == verbs_h.ENOSYS()) {
            return context.device().name() + " has no memory windows of type 2 (DeviceAttributes.windows reports what a"
                    + " device has): give each peer a region of its own, and close it to end the access";
        }
        if (errno == verbs_h.ENOMEM()) {
            return "a device has at most DeviceAttributes.maxMemoryWindows: close those that are not used";
        }
        return "";
    }

    /**
     * Returns the key that peers need, of the last bind that was posted.
     *
     * @return the remote key; of use from the bind's completion on, and to what is sent behind the
     *     bind on the same queue pair
     */
    public int remoteKey() {
        return remoteKey;
    }

    /**
     * Returns the key that the window has after its next bind ({@code ibv_inc_rkey}), so that a
     * send behind the bind in one chain can carry it.
     *
     * @return {@link #remoteKey()} with its lowest byte increased
     */
    public int nextRemoteKey() {
        int key = remoteKey;
        return key & ~TAG | key + 1 & TAG;
    }

    /**
     * Sets the key back after a bind that failed: its completion is not a success, and the window
     * still has the key of before ({@code man ibv_bind_mw}, notes). Without it, the next bind of
     * the window names a key that the device does not know, and some devices refuse it.
     *
     * @param key what {@link #remoteKey()} returned before the bind was posted
     * @throws IllegalArgumentException if it was never a key of this window
     */
    public void restoreRemoteKey(int key) {
        if (((key ^ remoteKey) & ~TAG) != 0) {
            throw new IllegalArgumentException("0x" + Integer.toHexString(key) + " is not a key of this " + this
                    + ": pass what remoteKey() returned before the bind");
        }
        enter();
        try {
            setRemoteKey(key);
        } finally {
            exit();
        }
    }

    /** Drivers read the key of before from the structure when a bind is posted. */
    private void setRemoteKey(int key) {
        Memory.putInt(address + ibv_mw.rkey$offset(), key);
        remoteKey = key;
    }

    /** Fails where a bind can never succeed; the device checks the rest when it executes it. */
    void checkBind(MemoryRegion region, long length, int rights) {
        if (region.context() != domain.context()) {
            throw new IllegalArgumentException(region + " belongs to another context than the " + this);
        }
        if (length == 0) {
            throw new IllegalArgumentException(
                    "a memory window has at least one byte: SendChain.invalidate ends the access");
        }
        if ((rights & ~RIGHTS) != 0) {
            throw new IllegalArgumentException(
                    "a memory window allows REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC, and may be ZERO_BASED");
        }
        if (!region.allows(verbs_h.IBV_ACCESS_MW_BIND())) {
            throw new IllegalArgumentException(
                    "the " + region + " does not allow memory windows: register it with Access.MW_BIND");
        }
        if ((rights & CHANGES) != 0 && !region.allows(verbs_h.IBV_ACCESS_LOCAL_WRITE())) {
            throw new IllegalArgumentException("a memory window with REMOTE_WRITE or REMOTE_ATOMIC needs a region with"
                    + " LOCAL_WRITE: register it with Access.LOCAL_WRITE too");
        }
    }

    /** A bind was posted; called while its chain is entered. */
    void bindPosted(QueuePair by, int key) {
        QueuePair before = boundBy;
        by.adopt(this);
        boundBy = by;
        if (before != null && before != by) {
            before.release(this);
        }
        setRemoteKey(key);
    }

    long address() {
        return address;
    }

    Context context() {
        return domain.context();
    }

    @Override
    boolean closesBeforeOthers() {
        return true;
    }

    @Override
    void awaitDataPath() {
        Quiescence.awaitAll();
    }

    @Override
    void destroy() {
        domain.context().windowCalls().free().status(errno -> "", address);
    }

    @Override
    void forget() {
        QueuePair by = boundBy;
        if (by != null) {
            by.release(this);
        }
    }

    @Override
    public String toString() {
        return "memory window of " + domain.context().device().name();
    }
}
