package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_context_ops;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * The verbs of the data path that stay in user space, as critical calls. Such a
 * call costs a third of a normal one, because the thread stays in the state of
 * running Java. It therefore must not enter the kernel for long (the garbage
 * collector would wait for it) and must never come back into Java.
 *
 * <p>The functions of the driver that was opened first are constants, as they are in C after
 * linking: the call loads and checks nothing, and allocates nothing, compiled or not. For another
 * driver beside it the function is a segment, made for each call; it is no object any more once C2
 * has compiled the caller, and 40 bytes until then.
 */
@SuppressWarnings("restricted")
final class CriticalCalls {
    private static final DataPath FIRST = DataPath.firstCritical();

    private static final FunctionDescriptor POST_SHAPE = shape(ibv_context_ops.post_send.descriptor());
    private static final FunctionDescriptor POLL_SHAPE = shape(ibv_context_ops.poll_cq.descriptor());
    private static final FunctionDescriptor NOTIFY_SHAPE = shape(ibv_context_ops.req_notify_cq.descriptor());

    private static final long POST_SEND_FUNCTION = FIRST.postSend;
    private static final long POST_RECEIVE_FUNCTION = FIRST.postReceive;
    private static final long POST_SHARED_RECEIVE_FUNCTION = FIRST.postSrqReceive;
    private static final long POLL_FUNCTION = FIRST.pollCq;
    private static final long NOTIFY_FUNCTION = FIRST.requestNotification;

    /** {@code (qp or srq, wr, bad_wr) int}. */
    private static final MethodHandle POST_SEND = constant(POST_SEND_FUNCTION, POST_SHAPE);

    private static final MethodHandle POST_RECEIVE = constant(POST_RECEIVE_FUNCTION, POST_SHAPE);
    private static final MethodHandle POST_SHARED_RECEIVE = constant(POST_SHARED_RECEIVE_FUNCTION, POST_SHAPE);

    /** {@code (cq, entries, wc) int}. */
    private static final MethodHandle POLL = constant(POLL_FUNCTION, POLL_SHAPE);

    /** {@code (cq, solicited only) int}. */
    private static final MethodHandle NOTIFY = constant(NOTIFY_FUNCTION, NOTIFY_SHAPE);

    /** Handles of other functions: the function's address comes before the arguments above. */
    private static final MethodHandle POST_OTHER = other(POST_SHAPE);

    private static final MethodHandle POLL_OTHER = other(POLL_SHAPE);
    private static final MethodHandle NOTIFY_OTHER = other(NOTIFY_SHAPE);

    private CriticalCalls() {}

    private static FunctionDescriptor shape(FunctionDescriptor descriptor) {
        return NativeFunction.pointersAsLongs(descriptor);
    }

    private static MethodHandle constant(long function, FunctionDescriptor shape) {
        MemorySegment address = Memory.function(function);
        return Linker.nativeLinker().downcallHandle(address, shape, Linker.Option.critical(false));
    }

    private static MethodHandle other(FunctionDescriptor shape) {
        return Linker.nativeLinker().downcallHandle(shape, Linker.Option.critical(false));
    }

    /** {@code post_send}: 0 or an error number. */
    static int postSend(long function, long queue, long workRequest, long badWorkRequest) {
        try {
            return function == POST_SEND_FUNCTION
                    ? (int) POST_SEND.invokeExact(queue, workRequest, badWorkRequest)
                    : (int) POST_OTHER.invokeExact(Memory.function(function), queue, workRequest, badWorkRequest);
        } catch (Throwable e) {
            throw NormalCalls.unexpected(e);
        }
    }

    /** {@code post_recv}: 0 or an error number. */
    static int postReceive(long function, long queue, long workRequest, long badWorkRequest) {
        try {
            return function == POST_RECEIVE_FUNCTION
                    ? (int) POST_RECEIVE.invokeExact(queue, workRequest, badWorkRequest)
                    : (int) POST_OTHER.invokeExact(Memory.function(function), queue, workRequest, badWorkRequest);
        } catch (Throwable e) {
            throw NormalCalls.unexpected(e);
        }
    }

    /** {@code post_srq_recv}: 0 or an error number. */
    static int postSharedReceive(long function, long queue, long workRequest, long badWorkRequest) {
        try {
            return function == POST_SHARED_RECEIVE_FUNCTION
                    ? (int) POST_SHARED_RECEIVE.invokeExact(queue, workRequest, badWorkRequest)
                    : (int) POST_OTHER.invokeExact(Memory.function(function), queue, workRequest, badWorkRequest);
        } catch (Throwable e) {
            throw NormalCalls.unexpected(e);
        }
    }

    /** {@code poll_cq}: the number of completions, or a negative number. */
    static int poll(long function, long queue, int entries, long workCompletions) {
        try {
            return function == POLL_FUNCTION
                    ? (int) POLL.invokeExact(queue, entries, workCompletions)
                    : (int) POLL_OTHER.invokeExact(Memory.function(function), queue, entries, workCompletions);
        } catch (Throwable e) {
            throw NormalCalls.unexpected(e);
        }
    }

    /** {@code req_notify_cq}: 0 or an error number. */
    static int requestNotification(long function, long queue, int solicitedOnly) {
        try {
            return function == NOTIFY_FUNCTION
                    ? (int) NOTIFY.invokeExact(queue, solicitedOnly)
                    : (int) NOTIFY_OTHER.invokeExact(Memory.function(function), queue, solicitedOnly);
        } catch (Throwable e) {
            throw NormalCalls.unexpected(e);
        }
    }
}
