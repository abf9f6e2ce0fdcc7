package io.dxnet.transport.idle;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread park until another one raises the signal: no wake-up is lost, and a signal to a
 * thread that runs costs one load.
 *
 * <p>A wake-up is a system call, so it is done only when the thread is parked or is about to: the
 * state shows that. The thread sets the state, then checks for work once more. The others publish
 * work, then read the state. One of the two sees the other. The first one that sees the thread
 * parked changes the state, so there is one wake-up for each park.
 *
 * <pre>
 *              park                      raise, wakeup
 *   RUNNING ----------&gt; PARKED, AT_PLACE ---------------&gt; NOTIFIED
 *    ^   |                    |                            ^    |
 *    |   +--------------------|---------- wakeup ----------+    |
 *    |                        |                                 |
 *    +----- time, event ------+                                 |
 *    +----------- the park is over, or the next one begins -----+
 * </pre>
 *
 * <p>{@link #raise}, {@link #wakeup} and {@link #isParked}: any thread. The others: one thread at a
 * time, not always the same.
 */
public final class ThreadSignal {
    private enum State {
        /** The thread is not parked. */
        RUNNING,
        /** The thread is parked by {@code LockSupport}, or about to. */
        PARKED,
        /** The thread is parked in its {@link ParkingPlace}, or about to. */
        AT_PLACE,
        /** The park that is under way is to end, or the next one. */
        NOTIFIED
    }

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ThreadSignal.class, "state", State.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final BooleanSupplier hasWork;
    private final @Nullable ParkingPlace place;
    private final long placeNsMin;
    private volatile State state = State.RUNNING; // the waiting thread, and those that wake it
    private @Nullable Thread thread; // the waiting thread, before it is PARKED

    /**
     * Creates the signal of a thread that parks by {@code LockSupport}.
     *
     * @param hasWork the last check before parking; it has to use volatile reads
     */
    public ThreadSignal(BooleanSupplier hasWork) {
        this(hasWork, null, 0);
    }

    /**
     * Creates the signal of a thread that parks in a place of its own.
     *
     * @param hasWork the last check before parking for less than {@code placeNsMin}
     * @param place where the thread parks
     * @param placeNsMin the shortest time that the place offers, nanoseconds. For a shorter one the
     *     thread parks by {@code LockSupport}: a signal ends that, any other event is noticed late
     *     by no more than this time
     */
    public ThreadSignal(BooleanSupplier hasWork, @Nullable ParkingPlace place, long placeNsMin) {
        this.hasWork = hasWork;
        this.place = place;
        this.placeNsMin = placeNsMin;
    }

    /**
     * Parks, unless there is work or a notification.
     *
     * @param timeoutNs the longest time, nanoseconds; 0 and less: none
     */
    public void park(long timeoutNs) {
        if (timeoutNs <= 0) {
            return;
        }
        ParkingPlace at = timeoutNs < placeNsMin ? null : place;
        if (at == null) {
            thread = Thread.currentThread();
        }
        if (!STATE.compareAndSet(this, State.RUNNING, at == null ? State.PARKED : State.AT_PLACE)) {
            state = State.RUNNING;
            return;
        }
        try {
            if (at == null) {
                if (!hasWork.getAsBoolean()) {
                    LockSupport.parkNanos(this, timeoutNs);
                }
            } else if (at.mayPark()) {
                at.park(timeoutNs);
            }
        } finally {
            state = State.RUNNING;
        }
    }

    /** {@return whether there was a notification, which is used up now} The waiting thread. */
    boolean takeNotification() {
        if (state != State.NOTIFIED) {
            return false;
        }
        state = State.RUNNING;
        return true;
    }

    /**
     * Wakes the thread if it is parked: for work that it checks for. Publish the work first, by a
     * volatile write or a stronger one, or by a weaker one and {@code VarHandle.fullFence}.
     */
    public void raise() {
        if (isParked()) {
            wakeup();
        }
    }

    /** Ends the current or the next park, whatever the thread checks for. */
    @SuppressWarnings("NullAway") // it parked at a place, so there is one
    public void wakeup() {
        switch ((State) STATE.getAndSet(this, State.NOTIFIED)) {
            case PARKED -> LockSupport.unpark(thread);
            case AT_PLACE -> place.unpark();
            case RUNNING, NOTIFIED -> {
                // the next park ends at once
            }
        }
    }

    /** {@return whether the thread is parked or about to; a snapshot} */
    public boolean isParked() {
        State seen = state;
        return seen == State.PARKED || seen == State.AT_PLACE;
    }
}
