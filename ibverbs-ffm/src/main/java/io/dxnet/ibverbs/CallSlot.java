package io.dxnet.ibverbs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ConcurrentModificationException;

/**
 * What a thread passes to a call of the data path: a chain of work requests, or a batch of
 * completions. Here the thread announces the queue that it is calling. One thread at a time owns a
 * slot; {@link Quiescence} reads it from other threads.
 */
abstract sealed class CallSlot permits RequestChain, WorkCompletion {
    private static final VarHandle BUSY;

    static {
        try {
            BUSY = MethodHandles.lookup().findVarHandle(CallSlot.class, "busyWith", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /**
     * The queue of the call under way, 0 between calls. Written by
     * the owner, read by the thread that closes a queue.
     */
    @SuppressWarnings("unused")
    private long busyWith;

    CallSlot() {}

    /** To be called once the object is whole. */
    final void register() {
        Quiescence.register(this);
    }

    /**
     * Announces a call. The caller reads the queue's {@code closed} flag afterwards, never before:
     * see {@link Quiescence} for why a plain store and a compiler barrier are enough.
     */
    final void enter(long queue) {
        if ((long) BUSY.getOpaque(this) != 0) {
            throw new ConcurrentModificationException("a chain or batch is used by one thread at a time");
        }
        BUSY.setOpaque(this, queue);
        VarHandle.releaseFence();
    }

    final void exit() {
        BUSY.setRelease(this, 0L);
    }

    final long busyWith() {
        return (long) BUSY.getAcquire(this);
    }
}
