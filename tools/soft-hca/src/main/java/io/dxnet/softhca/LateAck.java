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

    /** So often the holder processes what came meanwhile, before it returns to its own work. */
    private static final int ROUNDS_MAX = 2;

    /** Acknowledgements of one connection are nearer to each other. */
    private static final int DISTANCE_MAX = 1024;

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
     * @return false where one lies there that is not of this connection, or this one is not: which
     *     one counts is for the holder of the lock
     */
    boolean leave(int source, int psn) {
        long ack = (source & SOURCE_MASK) << SOURCE_SHIFT | psn;
        for (; ; ) {
            long old = left;
            boolean isFirst = old == NONE || source(old) != source;
            long distance = isFirst ? 1 : Psn.counted(psn, psn(old)) - psn(old);
            if (Math.abs(distance) > DISTANCE_MAX) {
                return false;
            }
            if (distance <= 0 || LEFT.compareAndSet(this, old, ack)) {
                return true;
            }
        }
    }

    /**
     * Processes what was left, where no thread holds the lock. Called by each thread that has left
     * one, or has released the lock.
     *
     * @param processor called with the lock
     * @return whether one is left that no thread will process: they came faster than this one was
     *     ready
     */
    boolean process(SpinLock lock, LongConsumer processor) {
        // The lock was released with less than a full fence.
        VarHandle.fullFence();
        for (int round = 1; left != NONE && lock.tryLock(); round++) {
            try {
                remove(processor);
            } finally {
                lock.unlock();
                VarHandle.fullFence();
            }
            if (round == ROUNDS_MAX) {
                return left != NONE;
            }
        }
        return false;
    }

    /** Processes what was left. The holder of the lock. */
    void remove(LongConsumer processor) {
        long ack = left == NONE ? NONE : (long) LEFT.getAndSet(this, NONE);
        if (ack != NONE) {
            processor.accept(ack);
        }
    }

    /** Forgets what was left: the connection has ended. The holder of the lock. */
    void clear() {
        left = NONE;
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
