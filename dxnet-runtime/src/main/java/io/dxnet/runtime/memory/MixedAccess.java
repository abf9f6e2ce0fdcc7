package io.dxnet.runtime.memory;

import io.dxnet.transport.memory.MemoryAccess;
import io.dxnet.transport.memory.MemoryOperation;

/**
 * A device's access that does not notify, and messages for the chains in which a notification is.
 * Operations of different chains have no order. Any thread.
 */
final class MixedAccess implements MemoryAccess {
    private final MemoryAccess device;
    private final CarriedAccess messages;

    /** Of one attachment; both are open. */
    MixedAccess(MemoryAccess device, CarriedAccess messages) {
        this.device = device;
        this.messages = messages;
    }

    private static boolean notifies(MemoryOperation[] operations) {
        for (MemoryOperation each : operations) {
            if (each.kind() == MemoryOperation.Kind.NOTIFY) {
                return true;
            }
        }
        return false;
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
        if (notifies(operations)) {
            messages.post(operations);
        } else {
            device.post(operations);
        }
    }

    @Override
    public void postAndPoll(Pending pending, MemoryOperation... operations) {
        if (!notifies(operations)) {
            device.postAndPoll(pending, operations);
        } else if (!messages.tryExecute(operations)) {
            messages.post(operations);
        }
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
