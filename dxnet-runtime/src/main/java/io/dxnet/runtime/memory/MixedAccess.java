package io.dxnet.runtime.memory;

import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;

/**
 * A device's access that does not notify, and messages for the chains in which a notification is.
 * While messages are under way they carry all chains, so that those of one thread keep their order.
 * Any thread.
 */
final class MixedAccess implements MemoryAccess {
    private final MemoryAccess device;
    private final CarriedAccess messages;
    private volatile boolean areMessagesUsed; // there may be some under way

    /** Of one attachment; both are open. */
    MixedAccess(MemoryAccess device, CarriedAccess messages) {
        this.device = device;
        this.messages = messages;
    }

    /** {@return what carries a chain out: messages, where it notifies or would overtake one} */
    private MemoryAccess way(MemoryOperation[] operations) {
        for (MemoryOperation each : operations) {
            if (each.kind() == MemoryOperation.Kind.NOTIFY) {
                areMessagesUsed = true;
                return messages;
            }
        }
        return areMessagesUsed && !messages.isIdle() ? messages : device;
    }

    @Override
    public byte[] request() {
        return device.request();
    }

    @Override
    public void open(byte[] reply) {
        throw new IllegalStateException("it is open");
    }

    @Override
    public void post(MemoryOperation... operations) {
        way(operations).post(operations);
    }

    @Override
    public void postAndPoll(Pending pending, MemoryOperation... operations) {
        way(operations).postAndPoll(pending, operations);
    }

    @Override
    public void poll(Pending pending) {
        device.poll(pending);
    }

    /** Ends the device's way alone. */
    void endDevice() {
        device.close();
    }

    @Override
    public void close() {
        device.close();
        messages.close();
    }
}
