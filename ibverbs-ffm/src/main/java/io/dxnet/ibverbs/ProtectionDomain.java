package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_parent_domain_init_attr;
import io.dxnet.ibverbs.raw.ibv_pd;
import io.dxnet.ibverbs.raw.verbs_context;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A protection domain ({@code struct ibv_pd}; {@code man ibv_alloc_pd}): the keys of its memory
 * regions are valid for its queue pairs only. Any thread may call. Closing it closes its memory
 * windows and regions, queues and address handles.
 */
public sealed class ProtectionDomain extends Resource permits ParentDomain {
    private final Context context;
    private final long address;

    ProtectionDomain(Context context, long address, Resource... parents) {
        super(parents);
        this.context = context;
        this.address = address;
    }

    static ProtectionDomain allocate(Context context) {
        context.enter();
        try {
            long address = context.library().allocPd.pointer(errno -> "", context.address());
            return attached(context.library().deallocPd, address, () -> {
                Abi.checkOwner("ibv_pd", context.address(), Memory.getLong(address + ibv_pd.context$offset()));
                return new ProtectionDomain(context, address, context);
            });
        } finally {
            context.exit();
        }
    }

    /**
     * Returns the context.
     *
     * @return what this was made from
     */
    public final Context context() {
        return context;
    }

    final long address() {
        return address;
    }

    /**
     * Allocates memory and registers it: the safe form, because the memory lives
     * exactly as long as the registration.
     *
     * @param byteSize the bytes, more than 0; page-aligned and zeroed
     * @param access what may be done with it
     * @return the region, to be closed by the caller; closing frees the memory
     * @throws VerbsException if it cannot be registered; the message names the
     *     limit on locked memory in force
     */
    public final MemoryRegion allocate(long byteSize, Access... access) {
        return MemoryRegion.allocate(this, byteSize, access);
    }

    /**
     * Registers memory ({@code man ibv_reg_mr}). It is pinned and touched:
     * about half a second for a GiB.
     *
     * <p>Close the region before the arena of the memory. The JVM cannot be made to keep the arena
     * open: closing it first leaves the device with access to memory that is given to others.
     *
     * @param memory native memory, at least one byte, of an arena that is still open
     * @param access what may be done with it
     * @return the region, to be closed by the caller; the memory stays the caller's
     * @throws IllegalArgumentException if the memory is not native
     * @throws IllegalStateException if its arena is closed
     * @throws VerbsException if it cannot be registered; the message names the
     *     limit on locked memory in force
     */
    public final MemoryRegion register(MemorySegment memory, Access... access) {
        return MemoryRegion.register(this, memory, access);
    }

    /**
     * Makes a memory window of type 2 ({@code man ibv_alloc_mw}), which allows nothing before
     * {@link SendChain#bind}.
     *
     * @return the window, to be closed by the caller
     * @throws VerbsException with {@code EOPNOTSUPP} where the device does not offer it
     *     ({@link DeviceAttributes#windows()}), with {@code ENOMEM} where it has no more
     */
    public final MemoryWindow allocateMemoryWindow() {
        return MemoryWindow.allocate(this);
    }

    /**
     * Makes a shared receive queue ({@code man ibv_create_srq}).
     *
     * @param maxRequests the receives it must hold at least
     * @param maxSge the scatter elements of one receive, at most
     *     {@link DeviceAttributes#maxSharedReceiveSge()}
     * @return the queue, to be closed by the caller
     */
    public final SharedReceiveQueue createSharedReceiveQueue(int maxRequests, int maxSge) {
        return SharedReceiveQueue.create(this, maxRequests, maxSge);
    }

    /**
     * Makes a queue pair ({@code man ibv_create_qp}).
     *
     * @param options its service, queues and sizes
     * @return the queue pair in state {@link QpState#RESET}, to be closed by the caller
     */
    public final QueuePair createQueuePair(QpOptions options) {
        return QueuePair.create(this, options);
    }

    /**
     * Makes an address handle: the destination of datagrams ({@code man ibv_create_ah}).
     *
     * @param to the destination
     * @return the handle, to be closed by the caller after the sends that use it have completed
     */
    public final AddressHandle createAddressHandle(AddressVector to) {
        return AddressHandle.create(this, to);
    }

    /**
     * Makes a parent domain: this protection domain together with a thread domain
     * ({@code man ibv_alloc_parent_domain}).
     *
     * @param threadDomain the promise that one thread at a time uses what is made from the result
     * @return the domain, to be closed by the caller
     * @throws IllegalArgumentException if the thread domain is of another context
     * @throws VerbsException with {@code EOPNOTSUPP} where the device does not offer it
     */
    public final ParentDomain createParentDomain(ThreadDomain threadDomain) {
        if (threadDomain.context() != context) {
            throw new IllegalArgumentException("the thread domain belongs to another context");
        }
        NativeFunction allocate = context.operation(
                "ibv_alloc_parent_domain",
                verbs_context.alloc_parent_domain$offset(),
                verbs_context.alloc_parent_domain.descriptor());
        if (allocate == null) {
            throw Context.notOffered("ibv_alloc_parent_domain");
        }
        enterAll(this, threadDomain);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment init = arena.allocate(ibv_parent_domain_init_attr.layout());
            Memory.putLong(init.address() + ibv_parent_domain_init_attr.pd$offset(), address);
            Memory.putLong(init.address() + ibv_parent_domain_init_attr.td$offset(), threadDomain.address());
            long parent = allocate.pointer(errno -> "", context.address(), init.address());
            return attached(
                    context.library().deallocPd, parent, () -> new ParentDomain(context, parent, this, threadDomain));
        } finally {
            exitAll(this, threadDomain);
        }
    }

    @Override
    final void destroy() {
        context.library().deallocPd.status(errno -> "something made from it is still in use", address);
    }

    @Override
    public String toString() {
        return "protection domain of " + context.device().name();
    }
}
