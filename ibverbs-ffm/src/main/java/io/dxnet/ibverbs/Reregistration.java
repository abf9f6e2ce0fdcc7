package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * What {@link MemoryRegion#reregister} changes of a region ({@code man ibv_rereg_mr}): its memory,
 * its protection domain, its access, or several of them at once. One thread at a time.
 */
public final class Reregistration {
    private int flags;
    private MemorySegment memory;
    private ProtectionDomain domain;
    private int access;

    /** Changes nothing yet. */
    public Reregistration() {}

    /**
     * Changes the memory ({@code IBV_REREG_MR_CHANGE_TRANSLATION}).
     *
     * @param to native memory, at least one byte, of an arena that is still open; it stays the
     *     caller's
     * @return this
     */
    public Reregistration memory(MemorySegment to) {
        memory = Objects.requireNonNull(to);
        flags |= verbs_h.IBV_REREG_MR_CHANGE_TRANSLATION();
        return this;
    }

    /**
     * Changes the protection domain ({@code IBV_REREG_MR_CHANGE_PD}).
     *
     * @param to another domain of the same context; from then on, closing it closes the region
     * @return this
     */
    public Reregistration domain(ProtectionDomain to) {
        domain = Objects.requireNonNull(to);
        flags |= verbs_h.IBV_REREG_MR_CHANGE_PD();
        return this;
    }

    /**
     * Changes what may be done with the memory ({@code IBV_REREG_MR_CHANGE_ACCESS}).
     *
     * @param to all of it, none for local reads alone
     * @return this
     */
    public Reregistration access(Access... to) {
        access = Access.flags(to);
        flags |= verbs_h.IBV_REREG_MR_CHANGE_ACCESS();
        return this;
    }

    int flags() {
        return flags;
    }

    /** The new memory, null where it stays. */
    MemorySegment memory() {
        return memory;
    }

    /** The new domain, null where it stays. */
    ProtectionDomain domain() {
        return domain;
    }

    /** The new access, {@code before} where it stays. */
    int accessOr(int before) {
        return (flags & verbs_h.IBV_REREG_MR_CHANGE_ACCESS()) != 0 ? access : before;
    }
}
