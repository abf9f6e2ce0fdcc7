package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_parent_domain_init_attr;

/** Protection domains, thread domains and memory regions. */
final class ResourceVerbs {
    private static final int REMOTE_CHANGES = Ibv.IBV_ACCESS_REMOTE_WRITE | Ibv.IBV_ACCESS_REMOTE_ATOMIC;
    private static final int KNOWN_ACCESS = Ibv.IBV_ACCESS_LOCAL_WRITE
            | REMOTE_CHANGES
            | Ibv.IBV_ACCESS_REMOTE_READ
            | Ibv.IBV_ACCESS_MW_BIND
            | Ibv.IBV_ACCESS_OPTIONAL_RANGE;

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
        VerbError.require(iova + length > iova);
        requireUnlimited(domain, length);
        check(address, length, access);
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

    private static void check(long address, long length, int access) {
        VerbError.require(length > 0 && address + length > address);
        VerbError.require((access & REMOTE_CHANGES) == 0 || (access & Ibv.IBV_ACCESS_LOCAL_WRITE) != 0);
        if ((access & ~KNOWN_ACCESS) != 0) {
            throw new VerbError(Ibv.EOPNOTSUPP);
        }
        // Outside the lock: to touch gigabytes takes long.
        if (!LibC.isMapped(address, length, (access & Ibv.IBV_ACCESS_LOCAL_WRITE) != 0)) {
            throw new VerbError(Ibv.EFAULT);
        }
    }

    /**
     * Returns 0 or an {@code IBV_REREG_MR_ERR}, and sets {@code errno}. A failure leaves the region
     * as it was; an application knows that of an error in the input alone.
     */
    static int ibv_rereg_mr(long mr, int flags, long pd, long address, long length, int access) {
        boolean moves = (flags & Ibv.IBV_REREG_MR_CHANGE_TRANSLATION) != 0;
        boolean isInvalid = (flags & ~Ibv.IBV_REREG_MR_FLAGS_SUPPORTED) != 0
                || moves && (length == 0 || address == 0)
                || access != 0 && (flags & Ibv.IBV_REREG_MR_CHANGE_ACCESS) == 0;
        if (isInvalid) {
            Errno.set(Ibv.EINVAL);
            return Ibv.IBV_REREG_MR_ERR_INPUT;
        }
        try {
            SoftMemoryRegion before = VerbError.live(Fabric.MEMORY_REGIONS.at(mr));
            before.context.enter("ibv_rereg_mr");
            SoftProtectionDomain domain = (flags & Ibv.IBV_REREG_MR_CHANGE_PD) != 0
                    ? VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd))
                    : before.domain();
            VerbError.require(domain.context == before.context);
            int rights = (flags & Ibv.IBV_REREG_MR_CHANGE_ACCESS) != 0 ? access : before.access();
            check(moves ? address : before.start(), moves ? length : before.length(), rights);
            change(
                    before,
                    moves
                            ? new SoftMemoryRegion(domain, address, length, address, rights)
                            : before.changed(domain, rights));
            return 0;
        } catch (VerbError e) {
            Errno.set(e.errno());
            return Ibv.IBV_REREG_MR_ERR_CMD;
        }
    }

    private static void change(SoftMemoryRegion before, SoftMemoryRegion after) {
        try (var _ = Fabric.control()) {
            VerbError.require(!before.isGone() && !after.domain().isGone());
            requireUnlimited(after.domain(), after.length() - before.length());
            before.refuseWindows();
            Fabric.MEMORY_REGIONS.replace(before, after);
            after.domain().addUser();
            before.domain().removeUser();
            registered += after.length() - before.length();
            quiesce(before.domain().base());
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
            SoftMemoryRegion region = VerbError.live(Fabric.MEMORY_REGIONS.at(mr));
            region.refuseWindows();
            destroy(region);
            return 0;
        }
    }

    /** When this returns, no transfer touches the memory any more: the application may unmap it. */
    static void destroy(SoftMemoryRegion region) {
        Fabric.MEMORY_REGIONS.remove(region);
        region.domain().removeUser();
        registered -= region.length();
        quiesce(region.domain().base());
    }

    /** Waits until no transfer is running that has checked a key of this domain before. */
    private static void quiesce(SoftProtectionDomain base) {
        for (SoftQueuePair qp : Fabric.QUEUE_PAIRS.all(qp -> qp.base() == base)) {
            qp.quiesce();
        }
    }
}
