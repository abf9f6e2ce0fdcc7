package io.dxnet.softhca;

import io.dxnet.softhca.roce.Psn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongConsumer;

/**
 * The newest positive acknowledgement that came while another thread held a send queue's lock. That
 * thread processes it after it has released the lock: a thread that receives packets waits for no
 * thread that sends some. A later acknowledgement stands for all earlier ones, so one is enough.
 *
 * <p>The receiver leaves it, then tries to acquire the lock; the holder releases the lock, then
 * reads what was left, with a full fence between the two on both sides: one of them processes it.
 */
final class LateAck {
    private static final long NONE = -1;

    private static final int SOURCE_SHIFT = 24;
    private static final long SOURCE_MASK = 0xffff_ffffL;

    private static final VarHandle LEFT;

    static {
        try {
            LEFT = MethodHandles.lookup().findVarHandle(LateAck.class, "left", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The sender's IPv4 address and the packet sequence number, or {@link #NONE}. */
    private volatile long left = NONE;

    /**
     * Leaves an acknowledgement, unless a newer one of this sender lies there. Any thread.
     *
     * @param source the sender's IPv4 address
     * @param psn as on the wire
     */
    void leave(int source, int psn) {
        long ack = (source & SOURCE_MASK) << SOURCE_SHIFT | psn;
        for (; ; ) {
            long old = left;
            boolean isNewer = old == NONE || source(old) != source || Psn.counted(psn, psn(old)) > psn(old);
            if (!isNewer || LEFT.compareAndSet(this, old, ack)) {
                return;
            }
        }
    }

    /**
     * Processes what was left, where no thread holds the lock. Called by each thread that has left
     * one, or has released the lock.
     *
     * @param processor called with the lock
     */
    void process(SpinLock lock, LongConsumer processor) {
        // The lock was released with less than a full fence.
        VarHandle.fullFence();
        while (left != NONE && lock.tryLock()) {
            try {
                remove(processor);
            } finally {
                lock.unlock();
                VarHandle.fullFence();
            }
        }
    }

    /** Processes what was left. The holder of the lock. */
    void remove(LongConsumer processor) {
        long ack = left == NONE ? NONE : (long) LEFT.getAndSet(this, NONE);
        if (ack != NONE) {
            processor.accept(ack);
        }
    }

    /** {@return the sender's IPv4 address} */
    static int source(long ack) {
        return (int) (ack >>> SOURCE_SHIFT);
    }

    /** {@return the packet sequence number, as on the wire} */
    static int psn(long ack) {
        return (int) ack & Psn.MASK;
    }
}
