package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.verbs_context;

/**
 * An open device: {@code ibv_context} inside
 * {@code verbs_context}, and the queue of its asynchronous events.
 */
final class SoftContext extends SoftObject {
    /** Something that happened to {@code source}, or to the port where that is null. */
    record AsyncEvent(SoftObject source, int type) {}

    private static final long VERBS_CONTEXT = verbs_context.context$offset();

    /** aarch64's {@code pthread_mutex_t} is longer than the one the layouts were generated with. */
    private static final long MUTEX_EXTRA = System.getProperty("os.arch").equals("aarch64") ? 8 : 0;

    private final SoftDevice device;
    private final EventQueue<AsyncEvent> asyncEvents = new EventQueue<>();

    SoftContext(SoftDevice device) {
        super(null);
        this.device = device;
    }

    SoftDevice device() {
        return device;
    }

    EventQueue<AsyncEvent> asyncEvents() {
        return asyncEvents;
    }

    /** Puts an event about an object of this context into its queue. Any thread, with any lock. */
    void raise(SoftObject source, int type) {
        asyncEvents.add(new AsyncEvent(source, type));
    }

    /**
     * The beginning of every verb that needs the device: fails
     * where it was pulled out, or where the verb shall fail.
     */
    void enter(String verb) {
        if (device.isRemoved()) {
            throw new VerbError(Ibv.EIO);
        }
        int error = device.faults().onCall(verb);
        if (error != 0) {
            throw new VerbError(error);
        }
    }

    @Override
    void writeStruct() {
        long at = address();
        Memory.putLong(at + ibv_context.device$offset(), device.struct());
        Upcalls.writeOperations(at, device.isIdle());
        Memory.putInt(at + ibv_context.cmd_fd$offset(), -1);
        Memory.putInt(at + ibv_context.async_fd$offset(), asyncEvents.fd());
        Memory.putInt(at + ibv_context.num_comp_vectors$offset(), SoftDevice.COMPLETION_VECTORS);
        Memory.putLong(at + ibv_context.abi_compat$offset() + MUTEX_EXTRA, -1);
        Memory.putLong(
                at - VERBS_CONTEXT + verbs_context.sz$offset(),
                verbs_context.layout().byteSize());
    }
}
