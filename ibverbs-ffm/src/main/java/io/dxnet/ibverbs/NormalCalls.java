package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context_ops;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The verbs of the data path that may enter the kernel or come back into Java, as normal calls.
 * They are inline functions of {@code verbs.h} without a symbol: the address is a field of
 * {@code ibv_context.ops} and comes as the first argument, as a segment that the caller keeps, so
 * that a call allocates nothing, compiled or not.
 *
 * @see CriticalCalls
 */
@SuppressWarnings("restricted")
final class NormalCalls {
    /** {@code (function, qp or srq, wr, bad_wr) int}. */
    private static final MethodHandle POST = handle(ibv_context_ops.post_send.descriptor());

    /** {@code (function, cq, entries, wc) int}. */
    private static final MethodHandle POLL = handle(ibv_context_ops.poll_cq.descriptor());

    /** {@code (function, cq, solicited only) int}. */
    private static final MethodHandle NOTIFY = handle(ibv_context_ops.req_notify_cq.descriptor());

    private NormalCalls() {}

    private static MethodHandle handle(FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(NativeFunction.pointersAsLongs(descriptor));
    }

    /**
     * {@code post_send}, {@code post_recv} and {@code post_srq_recv} have one
     * shape. Returns 0 or an error number.
     */
    static int post(MemorySegment function, long queue, long workRequest, long badWorkRequest) {
        try {
            return (int) POST.invokeExact(function, queue, workRequest, badWorkRequest);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code poll_cq}: the number of completions, or a negative number. */
    static int poll(MemorySegment function, long queue, int entries, long workCompletions) {
        try {
            return (int) POLL.invokeExact(function, queue, entries, workCompletions);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code req_notify_cq}: 0 or an error number. */
    static int requestNotification(MemorySegment function, long queue, int solicitedOnly) {
        try {
            return (int) NOTIFY.invokeExact(function, queue, solicitedOnly);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** What a call threw that passes numbers only. */
    static AssertionError unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new AssertionError("a downcall of long and int arguments threw", e);
    }
}
