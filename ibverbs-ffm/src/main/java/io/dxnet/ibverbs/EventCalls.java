package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;
import io.dxnet.ibverbs.spi.VerbsCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/**
 * Polling a completion event ({@code man ibv_get_cq_event}) as a thread does whenever it
 * waits: constant method handles and memory of its own, so that it allocates nothing. One
 * thread at a time uses an object.
 */
@SuppressWarnings("restricted")
final class EventCalls {
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    /** {@code (function, channel, cq out, context out) int}. */
    private static final MethodHandle TAKE =
            Linker.nativeLinker().downcallHandle(NativeFunction.pointersAsLongs(verbs_h.ibv_get_cq_event$descriptor()));

    /**
     * {@code (function, state, channel, cq out, context out) int}: capturing
     * allocates until it is compiled.
     */
    private static final MethodHandle TAKE_OR_SAY_WHY = Linker.nativeLinker()
            .downcallHandle(
                    NativeFunction.pointersAsLongs(verbs_h.ibv_get_cq_event$descriptor()),
                    Linker.Option.captureCallState("errno"));

    /** {@code (function, cq, count) void}. */
    private static final MethodHandle ACKNOWLEDGE = Linker.nativeLinker()
            .downcallHandle(NativeFunction.pointersAsLongs(verbs_h.ibv_ack_cq_events$descriptor()));

    private final Library library;
    private final MemorySegment out;
    private final MemorySegment state;
    private final VerbsCalls calls; // null: downcalls
    /** The arguments of {@code calls}. */
    private final MemorySegment arguments;

    EventCalls(Library library, Arena arena) {
        this.library = library;
        this.out = arena.allocate(ValueLayout.JAVA_LONG, 2);
        this.state = arena.allocate(STATE);
        this.calls = library.calls();
        this.arguments = arena.allocate(ValueLayout.JAVA_LONG, 3);
    }

    /** Polls an event: 0 and then {@link #queue}, or an error number. */
    int take(long channel) {
        if (calls != null) {
            return takeByCalls(channel);
        }
        try {
            MemorySegment function = library.getCqEvent.address();
            int result = (int) TAKE.invokeExact(function, channel, out.address(), out.address() + Long.BYTES);
            if (result != 0) {
                result = (int) TAKE_OR_SAY_WHY.invokeExact(
                        function, state, channel, out.address(), out.address() + Long.BYTES);
            }
            return result == 0 ? 0 : library.provider().errno((int) ERRNO.get(state, 0L));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private int takeByCalls(long channel) {
        arguments.setAtIndex(ValueLayout.JAVA_LONG, 0, channel);
        arguments.setAtIndex(ValueLayout.JAVA_LONG, 1, out.address());
        arguments.setAtIndex(ValueLayout.JAVA_LONG, 2, out.address() + Long.BYTES);
        int result = (int) call(library.getCqEvent, 3);
        return result == 0 ? 0 : library.provider().errno((int) ERRNO.get(state, 0L));
    }

    private long call(NativeFunction function, int count) {
        return calls.call(
                function.address().address(),
                arguments.address(),
                count,
                state.address() + NativeFunction.ERRNO_OFFSET);
    }

    /** The queue of the event that was polled last. */
    long queue() {
        return Memory.getLong(out.address());
    }

    void acknowledge(long queue) {
        if (calls != null) {
            arguments.setAtIndex(ValueLayout.JAVA_LONG, 0, queue);
            arguments.setAtIndex(ValueLayout.JAVA_LONG, 1, 1);
            call(library.ackCqEvents, 2);
            return;
        }
        try {
            ACKNOWLEDGE.invokeExact(library.ackCqEvents.address(), queue, 1);
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
