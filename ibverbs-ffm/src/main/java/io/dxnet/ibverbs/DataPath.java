package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context;
import io.dxnet.ibverbs.raw.ibv_context_ops;
import io.dxnet.ibverbs.spi.LocalVerbs;
import io.dxnet.ibverbs.spi.VerbsCalls;
import io.dxnet.ibverbs.spi.VerbsProvider;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The hot verbs of one context: the function pointers, and how each is
 * called. That is a critical downcall where the driver allows it, no downcall
 * where the driver is Java in this JVM, and else a normal downcall. Where other
 * {@link VerbsCalls} are chosen, they make all calls.
 */
final class DataPath {
    /** {@code never} makes every call a normal downcall, whatever the device. */
    static final String CRITICAL_PROPERTY = "io.dxnet.ibverbs.critical";

    /**
     * {@code never} leaves Java for each call even where the
     * driver is Java itself, as callers in C do.
     */
    static final String LOCAL_PROPERTY = "io.dxnet.ibverbs.localVerbs";

    private static final AtomicReference<DataPath> FIRST_CRITICAL = new AtomicReference<>();

    final long pollCq;
    final long requestNotification;
    final long postSrqReceive;
    final long postSend;
    final long postReceive;
    /** Posting sends and arming notifications stay in user space. */
    final boolean criticalSend;
    /** Polling and posting receives stay in user space. */
    final boolean criticalReceive;

    private final LocalVerbs local; // the verbs as Java methods; null: downcalls
    private final MemorySegment pollFunction;
    private final MemorySegment notifyFunction;
    private final MemorySegment postSrqReceiveFunction;
    private final MemorySegment postSendFunction;
    private final MemorySegment postReceiveFunction;

    DataPath(long context, String deviceName, VerbsProvider provider, VerbsCalls calls) {
        pollCq = operation(context, "poll_cq", ibv_context_ops.poll_cq$offset());
        requestNotification = operation(context, "req_notify_cq", ibv_context_ops.req_notify_cq$offset());
        postSrqReceive = operation(context, "post_srq_recv", ibv_context_ops.post_srq_recv$offset());
        postSend = operation(context, "post_send", ibv_context_ops.post_send$offset());
        postReceive = operation(context, "post_recv", ibv_context_ops.post_recv$offset());
        pollFunction = Memory.function(pollCq);
        notifyFunction = Memory.function(requestNotification);
        postSrqReceiveFunction = Memory.function(postSrqReceive);
        postSendFunction = Memory.function(postSend);
        postReceiveFunction = Memory.function(postReceive);
        boolean allowed =
                calls == null && !provider.upcalls() && !"never".equals(System.getProperty(CRITICAL_PROPERTY));
        criticalSend = allowed && provider.sendsStayInUserSpace(deviceName);
        criticalReceive = allowed && provider.receivesStayInUserSpace(deviceName);
        local = calls == null
                ? ofDriver(provider, deviceName)
                : new CalledVerbs(calls, pollCq, requestNotification, postSend, postReceive, postSrqReceive);
        if (criticalSend || criticalReceive) {
            FIRST_CRITICAL.compareAndSet(null, this);
        }
    }

    private static LocalVerbs ofDriver(VerbsProvider provider, String deviceName) {
        return "never".equals(System.getProperty(LOCAL_PROPERTY))
                ? null
                : provider.localVerbs(deviceName).orElse(null);
    }

    /**
     * The first of this JVM that may use {@link CriticalCalls},
     * which its functions are made constants for.
     */
    static DataPath firstCritical() {
        return Objects.requireNonNull(FIRST_CRITICAL.get(), "a critical call before a context that allows it");
    }

    int pollCq(long queue, int entries, long completions) {
        return local == null
                ? NormalCalls.poll(pollFunction, queue, entries, completions)
                : local.pollCq(queue, entries, completions);
    }

    int requestNotification(long queue, int solicitedOnly) {
        return local == null
                ? NormalCalls.requestNotification(notifyFunction, queue, solicitedOnly)
                : local.requestNotification(queue, solicitedOnly);
    }

    int postSend(long queuePair, long request, long badRequest) {
        return local == null
                ? NormalCalls.post(postSendFunction, queuePair, request, badRequest)
                : local.postSend(queuePair, request, badRequest);
    }

    int postReceive(long queuePair, long request, long badRequest) {
        return local == null
                ? NormalCalls.post(postReceiveFunction, queuePair, request, badRequest)
                : local.postReceive(queuePair, request, badRequest);
    }

    int postSharedReceive(long queue, long request, long badRequest) {
        return local == null
                ? NormalCalls.post(postSrqReceiveFunction, queue, request, badRequest)
                : local.postSharedReceive(queue, request, badRequest);
    }

    private static long operation(long context, String name, long offset) {
        long address = Memory.getLong(context + ibv_context.ops$offset() + offset);
        if (address == 0) {
            throw Context.incompatible("ibv_context.ops." + name + " is null");
        }
        return address;
    }
}
