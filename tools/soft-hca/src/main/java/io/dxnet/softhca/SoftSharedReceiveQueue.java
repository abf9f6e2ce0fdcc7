package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_srq;

/** {@code ibv_srq}. */
final class SoftSharedReceiveQueue extends SoftObject {
    private final SoftProtectionDomain domain;
    private final long srqContext;
    private final ReceiveQueue queue;

    SoftSharedReceiveQueue(SoftProtectionDomain domain, long srqContext, int maxWr, int maxSge) {
        super(domain.context);
        this.domain = domain;
        this.srqContext = srqContext;
        this.queue = new ReceiveQueue(maxWr, maxSge);
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    ReceiveQueue queue() {
        return queue;
    }

    @Override
    void writeStruct() {
        long at = address();
        Memory.putLong(at + ibv_srq.context$offset(), context.address());
        Memory.putLong(at + ibv_srq.srq_context$offset(), srqContext);
        Memory.putLong(at + ibv_srq.pd$offset(), domain.address());
        Memory.putInt(at + ibv_srq.handle$offset(), handle());
    }
}
