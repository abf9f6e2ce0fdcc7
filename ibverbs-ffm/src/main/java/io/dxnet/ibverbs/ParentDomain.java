package io.dxnet.ibverbs;

/**
 * A protection domain with a thread domain ({@code man ibv_alloc_parent_domain}):
 * one thread at a time uses its queues, and the library acquires no locks for
 * them. It is used wherever a protection domain is.
 */
public final class ParentDomain extends ProtectionDomain {
    ParentDomain(Context context, long address, Resource... parents) {
        super(context, address, parents);
    }

    @Override
    public String toString() {
        return "parent domain of " + context().device().name();
    }
}
