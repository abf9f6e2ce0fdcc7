package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.spi.VerbsProvider;

/** The function pointers of one context's data path, and which of them may be called without leaving Java. */
final class DataPath {
    /** {@code never} makes every call a normal downcall, whatever the device. */
    static final String CRITICAL_PROPERTY = "io.dxnet.ibverbs.critical";

    final long pollCq;
    final long requestNotification;
    final long postSrqReceive;
    final long postSend;
    final long postReceive;
    /** Posting sends and arming notifications stay in user space. */
    final boolean criticalSend;
    /** Polling and posting receives stay in user space. */
    final boolean criticalReceive;

    DataPath(long context, String deviceName, VerbsProvider provider) {
        pollCq = operation(context, "poll_cq", ibv_context_ops.poll_cq$offset());
        requestNotification = operation(context, "req_notify_cq", ibv_context_ops.req_notify_cq$offset());
        postSrqReceive = operation(context, "post_srq_recv", ibv_context_ops.post_srq_recv$offset());
        postSend = operation(context, "post_send", ibv_context_ops.post_send$offset());
        postReceive = operation(context, "post_recv", ibv_context_ops.post_recv$offset());
        boolean allowed = !provider.upcalls() && !"never".equals(System.getProperty(CRITICAL_PROPERTY));
        criticalSend = allowed && provider.sendsStayInUserSpace(deviceName);
        criticalReceive = allowed && provider.receivesStayInUserSpace(deviceName);
    }

    private static long operation(long context, String name, long offset) {
        long address = Memory.getLong(context + ibv_context.ops$offset() + offset);
        if (address == 0) {
            throw Context.incompatible("ibv_context.ops." + name + " is null");
        }
        return address;
    }
}
