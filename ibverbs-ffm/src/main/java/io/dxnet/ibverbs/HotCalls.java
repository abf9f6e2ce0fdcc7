package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context_ops;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;

/**
 * The verbs of the data path. They are inline functions of {@code verbs.h} without a symbol: the address is a field of
 * {@code ibv_context.ops} and comes as the first argument.
 *
 * <p>A critical call costs a third of a normal one, because the thread stays in the state of running Java. It therefore must not enter the
 * kernel for long (the garbage collector would wait for it) and must never come back into Java.
 */
@SuppressWarnings("restricted")
final class HotCalls {
    /** {@code (function, qp or srq, wr, bad_wr) int}. */
    private static final MethodHandle POST = handle(ibv_context_ops.post_send.descriptor());

    private static final MethodHandle POST_CRITICAL =
            handle(ibv_context_ops.post_send.descriptor(), Linker.Option.critical(false));

    /** {@code (function, cq, entries, wc) int}. */
    private static final MethodHandle POLL = handle(ibv_context_ops.poll_cq.descriptor());

    private static final MethodHandle POLL_CRITICAL =
            handle(ibv_context_ops.poll_cq.descriptor(), Linker.Option.critical(false));

    /** {@code (function, cq, solicited only) int}. */
    private static final MethodHandle NOTIFY = handle(ibv_context_ops.req_notify_cq.descriptor());

    private static final MethodHandle NOTIFY_CRITICAL =
            handle(ibv_context_ops.req_notify_cq.descriptor(), Linker.Option.critical(false));

    private HotCalls() {}

    private static MethodHandle handle(FunctionDescriptor descriptor, Linker.Option... options) {
        return Linker.nativeLinker().downcallHandle(NativeFunction.pointersAsLongs(descriptor), options);
    }

    /** {@code post_send}, {@code post_recv} and {@code post_srq_recv} have one shape. Returns 0 or an error number. */
    static int post(long function, long queue, long workRequest, long badWorkRequest) {
        try {
            return (int) POST.invokeExact(Memory.function(function), queue, workRequest, badWorkRequest);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The same with a critical call. */
    static int postCritical(long function, long queue, long workRequest, long badWorkRequest) {
        try {
            return (int) POST_CRITICAL.invokeExact(Memory.function(function), queue, workRequest, badWorkRequest);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code poll_cq}: the number of completions, or a negative number. */
    static int poll(long function, long queue, int entries, long workCompletions) {
        try {
            return (int) POLL.invokeExact(Memory.function(function), queue, entries, workCompletions);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The same with a critical call. */
    static int pollCritical(long function, long queue, int entries, long workCompletions) {
        try {
            return (int) POLL_CRITICAL.invokeExact(Memory.function(function), queue, entries, workCompletions);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@code req_notify_cq}: 0 or an error number. */
    static int requestNotification(long function, long queue, int solicitedOnly) {
        try {
            return (int) NOTIFY.invokeExact(Memory.function(function), queue, solicitedOnly);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The same with a critical call. */
    static int requestNotificationCritical(long function, long queue, int solicitedOnly) {
        try {
            return (int) NOTIFY_CRITICAL.invokeExact(Memory.function(function), queue, solicitedOnly);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static AssertionError unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return new AssertionError("a downcall of long and int arguments threw", e);
    }
}
