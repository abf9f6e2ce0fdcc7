package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_mr;
import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Registered memory ({@code struct ibv_mr}; {@code man ibv_reg_mr}): what a device
 * may read and write. Sizes and offsets are {@code long}; a region may be larger
 * than 4 GiB. Any thread may call.
 *
 * <p>{@link ProtectionDomain#allocate} makes one whose memory lives as long as the registration.
 * One over the caller's own memory must be closed before that memory's arena; work requests over a
 * closed arena are refused, but what was posted before, and what remote peers do, cannot be.
 */
public final class MemoryRegion extends Resource {
    private static final long PAGE_BYTES = 4096;
    private static final int CLOSE_TRIES = 10_000;

    private final ProtectionDomain domain;
    private final long mr;
    private final MemorySegment memory;
    /** The arena that ends with the region; null where the memory is the caller's. */
    private final Arena owned;

    private final long base;
    private final long byteSize;
    private final int localKey;
    private final int remoteKey;
    /** Written while closing, which one thread does at a time. */
    private boolean deregistered;

    private MemoryRegion(ProtectionDomain domain, long mr, MemorySegment memory, Arena owned) {
        super(domain);
        this.domain = domain;
        this.mr = mr;
        this.memory = memory;
        this.owned = owned;
        this.base = memory.address();
        this.byteSize = memory.byteSize();
        this.localKey = Memory.getInt(mr + ibv_mr.lkey$offset());
        this.remoteKey = Memory.getInt(mr + ibv_mr.rkey$offset());
    }

    static MemoryRegion allocate(ProtectionDomain domain, long byteSize, Access... access) {
        if (byteSize <= 0) {
            throw new IllegalArgumentException("a memory region has at least one byte, not " + byteSize);
        }
        Arena arena = Arena.ofShared();
        try {
            return register(domain, arena.allocate(byteSize, PAGE_BYTES), arena, access);
        } catch (RuntimeException e) {
            arena.close();
            throw e;
        }
    }

    static MemoryRegion register(ProtectionDomain domain, MemorySegment memory, Access... access) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("only native memory can be registered, not a Java array");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("the memory's arena is closed");
        }
        if (memory.byteSize() == 0) {
            // Drivers disagree: rxe accepts it.
            throw new VerbsException("ibv_reg_mr", verbs_h.EINVAL(), whatToDo(verbs_h.EINVAL(), 0));
        }
        return register(domain, memory, null, access);
    }

    private static MemoryRegion register(ProtectionDomain domain, MemorySegment memory, Arena owned, Access... access) {
        Context context = domain.context();
        Library library = context.library();
        domain.enter();
        try {
            int flags = Access.flags(access);
            long start = memory.address();
            long size = memory.byteSize();
            // ibv_reg_mr of verbs.h is a macro that does the same: iova2 drops optional
            // flags the kernel does not know.
            long mr = library.regMrIova2 != null
                    ? library.regMrIova2.pointer(
                            errno -> whatToDo(errno, size), domain.address(), start, size, start, flags)
                    : library.regMr.pointer(
                            errno -> whatToDo(errno, size),
                            domain.address(),
                            start,
                            size,
                            flags & ~verbs_h.IBV_ACCESS_OPTIONAL_RANGE());
            Abi.checkOwner("ibv_mr", context.address(), Memory.getLong(mr + ibv_mr.context$offset()));
            if (Memory.getLong(mr + ibv_mr.length$offset()) != size) {
                throw Context.incompatible("ibv_mr.length is not the length that was registered");
            }
            MemoryRegion region = new MemoryRegion(domain, mr, memory, owned);
            region.attach();
            return region;
        } finally {
            domain.exit();
        }
    }

    private static String whatToDo(int errno, long size) {
        String what = "registering " + size + " bytes";
        if (errno == verbs_h.ENOMEM() || errno == verbs_h.EPERM()) {
            long limit = Posix.memlockLimit();
            return what + "; RLIMIT_MEMLOCK is " + (limit < 0 ? "unlimited" : limit + " bytes")
                    + " (raise it: ulimit -l, LimitMEMLOCK= of a systemd unit, --ulimit memlock=-1 of a container)";
        }
        if (errno == verbs_h.EFAULT()) {
            return what + ": not mapped, or not writable although the access asks to write";
        }
        if (errno == verbs_h.EINVAL()) {
            return what
                    + ": the size is 0, or remote write or atomic access is asked for without LOCAL_WRITE, or the device"
                    + " does not know an access flag";
        }
        return what;
    }

    /**
     * Returns the memory.
     *
     * @return what is registered; after closing, memory this region
     *     allocated itself throws at every access
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Returns the size.
     *
     * @return the bytes
     */
    public long byteSize() {
        return byteSize;
    }

    /**
     * Returns the address of the first byte, which remote peers need.
     *
     * @return the virtual address
     */
    public long address() {
        return base;
    }

    /**
     * Returns the key that local work requests carry.
     *
     * @return the local key
     */
    public int localKey() {
        return localKey;
    }

    /**
     * Returns the key that remote peers need.
     *
     * @return the remote key; without remote access 0 or of no use
     */
    public int remoteKey() {
        return remoteKey;
    }

    /**
     * The address of {@code length} bytes at {@code offset}, after all
     * checks that a work request needs.
     */
    long rangeAddress(long offset, long length) {
        Objects.checkFromIndexSize(offset, length, byteSize);
        if (isClosed()) {
            throw closedException();
        }
        if (owned == null && !memory.scope().isAlive()) {
            throw new IllegalStateException(
                    "the arena of the registered memory is closed: close the memory region first");
        }
        return base + offset;
    }

    @Override
    void destroy() {
        if (!deregistered) {
            domain.context().library().deregMr.status(errno -> "a memory window is still bound to it", mr);
            deregistered = true;
        }
        if (owned != null) {
            free();
        }
    }

    /**
     * An arena refuses to close while a thread is inside an operation on its
     * memory; such operations are short.
     */
    private void free() {
        for (int i = 0; ; i++) {
            try {
                owned.close();
                return;
            } catch (IllegalStateException e) {
                if (i == CLOSE_TRIES) {
                    throw new VerbsException(
                            "ibv_dereg_mr",
                            0,
                            "the memory is still in use by another operation: close again to free it");
                }
                Thread.yield();
            }
        }
    }

    @Override
    public String toString() {
        return "memory region of " + byteSize + " bytes";
    }
}
