package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_td;

/** {@code ibv_td}: a promise of the application that this device has no use for. */
final class SoftThreadDomain extends SoftObject {
    SoftThreadDomain(SoftContext context) {
        super(context);
    }

    @Override
    void writeStruct() {
        Memory.putLong(address() + ibv_td.context$offset(), context.address());
    }
}
