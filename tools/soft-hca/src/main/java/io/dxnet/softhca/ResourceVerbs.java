package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_parent_domain_init_attr;

/** Protection domains, thread domains and memory regions. */
final class ResourceVerbs {
    private static final int REMOTE_CHANGES = Ibv.IBV_ACCESS_REMOTE_WRITE | Ibv.IBV_ACCESS_REMOTE_ATOMIC;
    private static final int KNOWN_ACCESS =
            Ibv.IBV_ACCESS_LOCAL_WRITE | REMOTE_CHANGES | Ibv.IBV_ACCESS_REMOTE_READ | Ibv.IBV_ACCESS_OPTIONAL_RANGE;

    /** Bytes in memory regions of all devices; written under the control lock. */
    private static volatile long registered;

    private ResourceVerbs() {}

    static long registeredBytes() {
        return registered;
    }

    static long ibv_alloc_pd(long context) {
        try (var _ = Fabric.control()) {
            SoftContext open = VerbError.live(Fabric.CONTEXTS.at(context));
            open.enter("ibv_alloc_pd");
            return Fabric.PROTECTION_DOMAINS
                    .add(new SoftProtectionDomain(open, null, null))
                    .address();
        }
    }

    static int ibv_dealloc_pd(long pd) {
        try (var _ = Fabric.control()) {
            SoftProtectionDomain domain = VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd));
            domain.requireUnused();
            destroy(domain);
            return 0;
        }
    }

    static void destroy(SoftProtectionDomain domain) {
        Fabric.PROTECTION_DOMAINS.remove(domain);
        if (domain.parent() != null) {
            domain.parent().removeUser();
        }
        if (domain.threadDomain() != null) {
            domain.threadDomain().removeUser();
        }
    }

    static long alloc_td(long context, long attr) {
        try (var _ = Fabric.control()) {
            SoftContext open = VerbError.live(Fabric.CONTEXTS.at(context));
            open.enter("ibv_alloc_td");
            VerbError.require(Memory.getInt(attr) == 0);
            return Fabric.THREAD_DOMAINS.add(new SoftThreadDomain(open)).address();
        }
    }

    static int dealloc_td(long td) {
        try (var _ = Fabric.control()) {
            SoftThreadDomain domain = VerbError.live(Fabric.THREAD_DOMAINS.at(td));
            domain.requireUnused();
            Fabric.THREAD_DOMAINS.remove(domain);
            return 0;
        }
    }

    /**
     * The allocators that an application may bring along are not
     * called: this device allocates nothing where they would.
     */
    static long alloc_parent_domain(long context, long attr) {
        try (var _ = Fabric.control()) {
            SoftContext open = VerbError.live(Fabric.CONTEXTS.at(context));
            open.enter("ibv_alloc_parent_domain");
            SoftProtectionDomain parent = VerbError.live(
                    Fabric.PROTECTION_DOMAINS.at(Memory.getLong(attr + ibv_parent_domain_init_attr.pd$offset())));
            VerbError.require(parent.context == open && parent.parent() == null);
            long td = Memory.getLong(attr + ibv_parent_domain_init_attr.td$offset());
            SoftThreadDomain threadDomain = td == 0 ? null : VerbError.live(Fabric.THREAD_DOMAINS.at(td));
            SoftProtectionDomain domain =
                    Fabric.PROTECTION_DOMAINS.add(new SoftProtectionDomain(open, parent, threadDomain));
            parent.addUser();
            if (threadDomain != null) {
                threadDomain.addUser();
            }
            return domain.address();
        }
    }

    static long ibv_reg_mr(long pd, long address, long length, int access) {
        return register(pd, address, length, address, access);
    }

    static long ibv_reg_mr_iova2(long pd, long address, long length, long iova, int access) {
        return register(pd, address, length, iova, access);
    }

    static long ibv_reg_mr_iova(long pd, long address, long length, long iova, int access) {
        return register(pd, address, length, iova, access);
    }

    private static long register(long pd, long address, long length, long iova, int access) {
        SoftProtectionDomain domain = VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd));
        domain.context.enter("ibv_reg_mr");
        VerbError.require(length > 0 && address + length > address && iova + length > iova);
        VerbError.require((access & REMOTE_CHANGES) == 0 || (access & Ibv.IBV_ACCESS_LOCAL_WRITE) != 0);
        if ((access & ~KNOWN_ACCESS) != 0) {
            throw new VerbError(Ibv.EOPNOTSUPP);
        }
        requireUnlimited(domain, length);
        // Outside the lock: to touch gigabytes takes long.
        if (!LibC.isMapped(address, length, (access & Ibv.IBV_ACCESS_LOCAL_WRITE) != 0)) {
            throw new VerbError(Ibv.EFAULT);
        }
        try (var _ = Fabric.control()) {
            VerbError.require(!domain.isGone());
            requireUnlimited(domain, length);
            SoftMemoryRegion region =
                    Fabric.MEMORY_REGIONS.add(new SoftMemoryRegion(domain, address, length, iova, access));
            domain.addUser();
            registered += length;
            return region.address();
        }
    }

    private static void requireUnlimited(SoftProtectionDomain domain, long more) {
        long limit = domain.context.device().faults().registeredLimit();
        if (registered + more > limit) {
            throw new VerbError(limit == 0 ? Ibv.EPERM : Ibv.ENOMEM);
        }
    }

    static int ibv_dereg_mr(long mr) {
        try (var _ = Fabric.control()) {
            destroy(VerbError.live(Fabric.MEMORY_REGIONS.at(mr)));
            return 0;
        }
    }

    /** When this returns, no transfer touches the memory any more: the application may unmap it. */
    static void destroy(SoftMemoryRegion region) {
        Fabric.MEMORY_REGIONS.remove(region);
        region.domain().removeUser();
        registered -= region.length();
        SoftProtectionDomain base = region.domain().base();
        for (SoftQueuePair qp : Fabric.QUEUE_PAIRS.all(qp -> qp.base() == base)) {
            qp.quiesce();
        }
    }
}
