package io.dxnet.runtime;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The duty to drive the stages of the fused layout. At most one thread holds it: the engine's
 * thread, which may lend it, or a thread that waits for its response. A thread that acquires the
 * duty sees all that the one before it has written.
 *
 * <pre>
 *   ENGINE --lend--> LENT --tryDrive--> DRIVEN --keep--> RECALLED
 *     ^               | ^                 | |               |
 *     |               | +-----release-----+ | release,      | release
 *     |               |                     v hand back     |
 *     +--tryAcquire---+----------------- HANDED_BACK <------+
 *
 *   ENGINE, LENT, HANDED_BACK --keep--> KEPT
 * </pre>
 *
 * <p>Where a thread needs it, LENT changes to ENGINE in the lend, to HANDED_BACK in the release.
 */
final class Duty {
    private enum State {
        /** The engine's thread holds it. */
        ENGINE,
        /** The engine's thread holds it, and lends it no more. */
        KEPT,
        /** No thread holds it. A thread that waits for its response may acquire it. */
        LENT,
        /** A waiting thread holds it. */
        DRIVEN,
        /** A waiting thread holds it, and is to hand it back. */
        RECALLED,
        /** No thread holds it. The engine's thread alone may acquire it. */
        HANDED_BACK
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Duty.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile State state = State.ENGINE;
    private volatile @Nullable Thread engineThread; // the engine's thread, once
    private volatile @Nullable Thread waiter; // the waiting thread that holds the duty
    private volatile int drives; // the waiting thread that holds the duty

    private boolean change(State from, State to) {
        return STATE.compareAndSet(this, from, to);
    }

    /** {@return the thread that holds the duty at the moment; null for none} Any thread. */
    @Nullable
    Thread holder() {
        return switch (state) {
            case ENGINE, KEPT -> engineThread;
            case DRIVEN, RECALLED -> waiter;
            case LENT, HANDED_BACK -> null;
        };
    }

    // ---------------------------------------------------------------- the engine's thread

    /** {@return whether the engine's thread holds the duty} The engine's thread. */
    boolean isHeld() {
        if (engineThread == null) {
            engineThread = Thread.currentThread();
        }
        State now = state;
        return now == State.ENGINE || now == State.KEPT;
    }

    /**
     * Lends the duty, unless a thread needs the engine's thread to drive: one that waits already
     * has found the duty held, and sleeps. The engine's thread, which holds it.
     *
     * @param isNeeded whether a thread waits, and may have found the duty held; a volatile read of
     *     what that thread has written before {@link #tryDrive}
     * @return whether the duty is lent from now on
     */
    boolean lend(BooleanSupplier isNeeded) {
        return change(State.ENGINE, State.LENT)
                && !(isNeeded.getAsBoolean() && change(State.LENT, State.ENGINE)); // asked once it is lent
    }

    /**
     * Parks while other threads drive, unless the duty is handed back already. Then acquires it, if
     * it was handed back, or if no thread drove meanwhile. The engine's thread.
     *
     * @param lentNs the longest time to park, nanoseconds
     * @return whether the engine's thread holds the duty
     */
    boolean tryAcquire(long lentNs) {
        int before = drives;
        if (state != State.HANDED_BACK) {
            LockSupport.parkNanos(this, lentNs);
        }
        return isHeld()
                || change(State.HANDED_BACK, State.ENGINE)
                || drives == before && change(State.LENT, State.ENGINE);
    }

    // ---------------------------------------------------------------- waiting threads

    /** {@return whether the calling thread holds the duty; then it must call {@link #release}} */
    boolean tryDrive() {
        if (state != State.LENT || !change(State.LENT, State.DRIVEN)) {
            return false;
        }
        waiter = Thread.currentThread();
        drives++; // its holder alone writes it
        return true;
    }

    /** {@return whether its holder is to hand it back} */
    boolean isRecalled() {
        return state == State.RECALLED;
    }

    /**
     * Releases the duty, after {@link #tryDrive} has returned true.
     *
     * @param handBack whether the engine's thread is to acquire it now; if false, it
     *     stays lent unless it was recalled, or is needed
     * @param isNeeded as for {@link #lend}
     */
    void release(boolean handBack, BooleanSupplier isNeeded) {
        waiter = null;
        if (handBack || !change(State.DRIVEN, State.LENT)) {
            state = State.HANDED_BACK; // its holder alone leaves DRIVEN and RECALLED
            LockSupport.unpark(engineThread);
        } else if (isNeeded.getAsBoolean() && change(State.LENT, State.HANDED_BACK)) {
            LockSupport.unpark(engineThread);
        }
    }

    // ---------------------------------------------------------------- any thread

    /**
     * Ends the lending for good. The duty is the engine thread's, which is woken, or is recalled.
     *
     * @return whether no other thread drives any more; if false, the duty is recalled: repeat the
     *     call
     */
    boolean keep() {
        State now;
        State next;
        do {
            now = state;
            next = switch (now) {
                case ENGINE, LENT, HANDED_BACK, KEPT -> State.KEPT;
                case DRIVEN, RECALLED -> State.RECALLED;
            };
        } while (now != next && !change(now, next));
        LockSupport.unpark(engineThread);
        return next == State.KEPT;
    }
}
