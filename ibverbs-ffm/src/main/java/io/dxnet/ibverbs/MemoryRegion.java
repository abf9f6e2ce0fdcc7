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
 *
 * <p>{@link #reregister} changes memory, protection domain or access. With {@link Access#MW_BIND},
 * parts of it can be given to peers through a {@link MemoryWindow}; while one is bound, the region
 * cannot be closed ({@code man ibv_dereg_mr}).
 */
public final class MemoryRegion extends Resource {
    private static final long PAGE_BYTES = 4096;
    private static final int CLOSE_TRIES = 10_000;
    private static final String NOT_OFFERED =
            "this device does not offer it, the region is as before: close it and register anew";

    /**
     * What is registered, and how.
     *
     * @param isUsable false after a re-registration that the device broke off
     */
    record Registration(
            ProtectionDomain domain,
            MemorySegment memory,
            long base,
            long byteSize,
            int access,
            int localKey,
            int remoteKey,
            boolean isUsable) {
        static Registration read(long mr, ProtectionDomain domain, MemorySegment memory, int access) {
            return new Registration(
                    domain,
                    memory,
                    memory.address(),
                    memory.byteSize(),
                    access,
                    Memory.getInt(mr + ibv_mr.lkey$offset()),
                    Memory.getInt(mr + ibv_mr.rkey$offset()),
                    true);
        }

        Registration broken() {
            return new Registration(domain, memory, base, byteSize, access, localKey, remoteKey, false);
        }
    }

    private final Context context;
    private final long mr;
    /** The arena that ends with the region; null where the memory is the caller's. */
    private final Arena owned;

    /** Written by the constructor and by {@link #reregister}, under the monitor. */
    private volatile Registration now;

    /** Whether a chain has held a pointer to the structure; written by threads that fill chains. */
    private volatile boolean namedInBind;

    private MemoryRegion(ProtectionDomain domain, long mr, MemorySegment memory, Arena owned, int access) {
        super(domain);
        this.context = domain.context();
        this.mr = mr;
        this.owned = owned;
        this.now = Registration.read(mr, domain, memory, access);
    }

    static MemoryRegion allocate(ProtectionDomain domain, long byteSize, Access... access) {
        if (byteSize <= 0) {
            throw new IllegalArgumentException("a memory region has at least one byte, not " + byteSize);
        }
        Arena arena = Arena.ofShared();
        try {
            return register(domain, arena.allocate(byteSize, PAGE_BYTES), arena, access);
        } catch (Throwable e) {
            // A suppressed failure is that of deregistering: the device may still write there.
            if (e.getSuppressed().length == 0 && arena.scope().isAlive()) {
                arena.close();
            }
            throw e;
        }
    }

    static MemoryRegion register(ProtectionDomain domain, MemorySegment memory, Access... access) {
        checkMemory(memory, "ibv_reg_mr");
        return register(domain, memory, null, access);
    }

    private static void checkMemory(MemorySegment memory, String verb) {
        if (!memory.isNative()) {
            throw new IllegalArgumentException("only native memory can be registered, not a Java array");
        }
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("the memory's arena is closed");
        }
        if (memory.byteSize() == 0) {
            // Drivers disagree: rxe accepts it.
            throw new VerbsException(verb, verbs_h.EINVAL(), whatToDo(verbs_h.EINVAL(), 0));
        }
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
            return attached(library.deregMr, mr, () -> {
                Abi.checkOwner("ibv_mr", context.address(), Memory.getLong(mr + ibv_mr.context$offset()));
                if (Memory.getLong(mr + ibv_mr.length$offset()) != size) {
                    throw Context.incompatible("ibv_mr.length is not the length that was registered");
                }
                return new MemoryRegion(domain, mr, memory, owned, flags);
            });
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
     * Changes the registration in place ({@code man ibv_rereg_mr}): as closing the region and
     * registering anew, but for what can be kept. {@link #memory()}, {@link #address()} and the
     * keys are those of the new registration afterwards; peers have to get a key that changed.
     * Requests that were posted before and not completed may fail.
     *
     * @param change what is changed, at least one property
     * @throws IllegalArgumentException if nothing is changed, the memory is not native, or the
     *     domain is of another context
     * @throws IllegalStateException if the region or its domain is closed, if an earlier call broke
     *     the region, or if the memory is to change although the region has allocated it itself
     * @throws VerbsException with {@code EOPNOTSUPP} where the device does not offer it: the region
     *     is as before. After another failure the message states whether it is as before or can
     *     only be closed
     */
    public synchronized void reregister(Reregistration change) {
        Registration before = now;
        checkChange(before, change);
        NativeFunction rereg = context.library().reregMr;
        if (rereg == null) {
            throw new VerbsException("ibv_rereg_mr", verbs_h.EOPNOTSUPP(), NOT_OFFERED);
        }
        ProtectionDomain domain = change.domain() == null ? before.domain : change.domain();
        MemorySegment memory = change.memory() == null ? before.memory : change.memory();
        int access = change.accessOr(before.access);
        enterAll(this, before.domain, domain);
        try {
            NativeFunction.Outcome outcome = rereg.outcome(
                    mr,
                    change.flags(),
                    change.domain() == null ? 0 : domain.address(),
                    change.memory() == null ? 0 : memory.address(),
                    change.memory() == null ? 0 : memory.byteSize(),
                    change.accessOr(0));
            int result = (int) outcome.result();
            if (result == 0 || result == verbs_h.IBV_REREG_MR_ERR_DO_FORK_OLD()) {
                now = Registration.read(mr, domain, memory, access);
                move(before.domain, domain);
            }
            if (result != 0) {
                boolean isValid = isValidAfter(result, outcome.errno());
                if (!isValid) {
                    now = before.broken();
                }
                throw rereg.failure(outcome.errno(), errno -> afterFailure(result, errno, isValid));
            }
        } finally {
            exitAll(this, before.domain, domain);
        }
    }

    private void checkChange(Registration before, Reregistration change) {
        if (change.flags() == 0) {
            throw new IllegalArgumentException("nothing changes: call memory, domain or access of Reregistration");
        }
        if (!before.isUsable) {
            throw brokenException();
        }
        if (change.domain() != null && change.domain().context() != context) {
            throw new IllegalArgumentException(change.domain() + " belongs to another context than the " + this);
        }
        if (change.memory() != null) {
            checkMemory(change.memory(), "ibv_rereg_mr");
            if (owned != null) {
                throw new IllegalStateException("the region's own memory lives as long as the region: use"
                        + " ProtectionDomain.register for a region whose memory changes");
            }
        }
    }

    private static boolean isNotOffered(int errno) {
        return errno == verbs_h.EOPNOTSUPP() || errno == verbs_h.ENOSYS();
    }

    /** Whether the old or the new registration holds ({@code enum ibv_rereg_mr_err_code}). */
    private static boolean isValidAfter(int result, int errno) {
        return result != verbs_h.IBV_REREG_MR_ERR_CMD() && result != verbs_h.IBV_REREG_MR_ERR_CMD_AND_DO_FORK_NEW()
                || isNotOffered(errno);
    }

    private static String afterFailure(int result, int errno, boolean isValid) {
        if (isNotOffered(errno)) {
            return NOT_OFFERED;
        }
        if (result == verbs_h.IBV_REREG_MR_ERR_DO_FORK_OLD()) {
            return "the region has changed, but its memory of before stays out of the reach of child processes:"
                    + " do not use ibv_fork_init";
        }
        if (isValid) {
            return "the region is as before: check address, size and access";
        }
        return "the region can only be closed: close it and register anew"
                + (errno == verbs_h.EBUSY() ? ", after the memory windows that are bound to it were invalidated" : "");
    }

    private IllegalStateException brokenException() {
        return new IllegalStateException(
                "re-registering the " + this + " failed, it cannot be used: close it and register anew");
    }

    /**
     * Returns the memory.
     *
     * @return what is registered; after closing, memory this region
     *     allocated itself throws at every access
     */
    public MemorySegment memory() {
        return now.memory;
    }

    /**
     * Returns the size.
     *
     * @return the bytes
     */
    public long byteSize() {
        return now.byteSize;
    }

    /**
     * Returns the address of the first byte, which remote peers need.
     *
     * @return the virtual address
     */
    public long address() {
        return now.base;
    }

    /**
     * Returns the key that local work requests carry.
     *
     * @return the local key
     */
    public int localKey() {
        return now.localKey;
    }

    /**
     * Returns the key that remote peers need.
     *
     * @return the remote key; without remote access 0 or of no use
     */
    public int remoteKey() {
        return now.remoteKey;
    }

    /**
     * The registration, after all checks that a work request with {@code length} bytes at
     * {@code offset} needs.
     */
    Registration usable(long offset, long length) {
        Registration current = now;
        Objects.checkFromIndexSize(offset, length, current.byteSize);
        if (isClosed()) {
            throw closedException();
        }
        if (owned == null && !current.memory.scope().isAlive()) {
            throw new IllegalStateException(
                    "the arena of the registered memory is closed: close the memory region first");
        }
        if (!current.isUsable) {
            throw brokenException();
        }
        return current;
    }

    /** Whether it was registered with one of these flags. */
    boolean allows(int flags) {
        return (now.access & flags) != 0;
    }

    /** The address of its {@code ibv_mr}, for a bind. */
    long addressForBind() {
        namedInBind = true;
        return mr;
    }

    Context context() {
        return context;
    }

    /** Posts of binds read the structure, which closing frees. */
    @Override
    void awaitDataPath() {
        if (namedInBind) {
            Quiescence.awaitAll();
        }
    }

    @Override
    void destroy() {
        context.library()
                .deregMr
                .status(
                        errno -> "where a memory window is still bound to it: invalidate or close the window, then"
                                + " close the region again",
                        mr);
    }

    @Override
    void forget() {
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
        return "memory region of " + now.byteSize + " bytes";
    }
}
