package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_pd;

/**
 * {@code ibv_pd}. A parent domain is one that stands for another: keys are
 * compared with {@link #base()}.
 */
final class SoftProtectionDomain extends SoftObject {
    private final SoftProtectionDomain parent;
    private final SoftThreadDomain threadDomain;

    /** @param parent the domain that a parent domain is made of, null for a domain of its own */
    SoftProtectionDomain(SoftContext context, SoftProtectionDomain parent, SoftThreadDomain threadDomain) {
        super(context);
        this.parent = parent;
        this.threadDomain = threadDomain;
    }

    /** The domain that keys belong to. */
    SoftProtectionDomain base() {
        return parent == null ? this : parent;
    }

    SoftProtectionDomain parent() {
        return parent;
    }

    SoftThreadDomain threadDomain() {
        return threadDomain;
    }

    @Override
    void writeStruct() {
        Memory.putLong(address() + ibv_pd.context$offset(), context.address());
        Memory.putInt(address() + ibv_pd.handle$offset(), handle());
    }
}
