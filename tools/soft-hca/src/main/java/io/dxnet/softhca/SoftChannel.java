package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_comp_channel;

/** {@code ibv_comp_channel}: completion queues that were armed and got a completion. */
final class SoftChannel extends SoftObject {
    private final EventQueue<SoftCompletionQueue> events = new EventQueue<>();

    SoftChannel(SoftContext context) {
        super(context);
    }

    EventQueue<SoftCompletionQueue> events() {
        return events;
    }

    @Override
    void writeStruct() {
        Memory.putLong(address() + ibv_comp_channel.context$offset(), context.address());
        Memory.putInt(address() + ibv_comp_channel.fd$offset(), events.fd());
    }
}
