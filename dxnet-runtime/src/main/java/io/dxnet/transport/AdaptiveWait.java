package io.dxnet.transport;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * How a transport's agent waits: load-adaptive (Ibdxnet §7.2.5). After work it looks again and again, then yields between its looks
 * ({@link BusyPhase}), then sleeps as its transport does: in a selector, in a completion channel.
 *
 * <p>Waking up is a system call, so it is done only when the agent sleeps or is about to: a word says so. The agent sets it, then looks
 * for work once more; a poster publishes its work, then looks at the word: one of the two sees the other. The first poster that sees
 * it takes it back, so there is one wake-up for each sleep.
 *
 * <p>{@link #wakeIfAsleep} and {@link #wakeup}: any thread; the others: one thread at a time, not always the same.
 */
public final class AdaptiveWait {
    private static final int RUNNING = 0;
    private static final int SLEEPING = 1;
    private static final int PARKED = 2;
    private static final int NOTIFIED = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(AdaptiveWait.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What is waited for, and where. */
    public interface Sleeper {
        /**
         * Looks whether there is work; may poll. The waiting thread.
         *
         * @return whether the wait is over
         */
        boolean hasWork();

        /**
         * The last look before {@link #sleep}. The waiting thread.
         *
         * @return whether there is work that would not end the sleep that follows
         */
        boolean hasWorkBeforeSleep();

        /**
         * Sleeps until there is work, until {@link #endSleep} or for a time; may end early. The waiting thread.
         *
         * @param timeoutNs the longest sleep, nanoseconds, at least the shortest of the constructor
         */
        void sleep(long timeoutNs);

        /** Ends the sleep that is under way, or the next one. Any thread. */
        void endSleep();
    }

    private final BusyPhase busy;
    private final long sleepNsMin;
    private final Sleeper sleeper;
    private volatile int state = RUNNING; // the agent, and those who wake it up
    private volatile Thread parked; // the agent, before it is PARKED

    /**
     * For one agent.
     *
     * @param busy what comes before it sleeps
     * @param sleepNsMin the shortest sleep that the sleeper offers, nanoseconds. For a shorter one the thread parks: it ends at a
     *     wake-up, and late by no more than itself at anything else
     * @param sleeper what is waited for
     */
    public AdaptiveWait(BusyPhase busy, long sleepNsMin, Sleeper sleeper) {
        this.busy = busy;
        this.sleepNsMin = sleepNsMin;
        this.sleeper = sleeper;
    }

    /** There was work: the next wait begins with looking. */
    public void worked() {
        busy.worked();
    }

    /**
     * Waits for work.
     *
     * @param timeoutNs the longest wait, nanoseconds; 0 and less: one look
     */
    public void await(long timeoutNs) {
        busy.begin(timeoutNs);
        do {
            if (state == NOTIFIED) {
                state = RUNNING;
                return;
            }
            if (sleeper.hasWork()) {
                return;
            }
        } while (busy.pause());
        sleep(busy.leftNs());
    }

    /**
     * Waits without looking first, for instance where work is to gather.
     *
     * @param timeoutNs the longest wait, nanoseconds; 0 and less: none
     */
    public void sleep(long timeoutNs) {
        if (timeoutNs <= 0) {
            return;
        }
        boolean park = timeoutNs < sleepNsMin;
        parked = park ? Thread.currentThread() : null;
        if (!STATE.compareAndSet(this, RUNNING, park ? PARKED : SLEEPING)) {
            state = RUNNING;
            return;
        }
        try {
            if (!park) {
                if (!sleeper.hasWorkBeforeSleep()) {
                    sleeper.sleep(timeoutNs);
                }
            } else if (!sleeper.hasWork()) {
                LockSupport.parkNanos(this, timeoutNs);
            }
        } finally {
            state = RUNNING;
        }
    }

    /** Wakes the agent up where that is needed; call it after publishing the work by a volatile write or a stronger one. */
    public void wakeIfAsleep() {
        int seen = state;
        if (seen == SLEEPING || seen == PARKED) {
            wakeup();
        }
    }

    /** Ends the current or the next wait. */
    public void wakeup() {
        switch ((int) STATE.getAndSet(this, NOTIFIED)) {
            case SLEEPING -> sleeper.endSleep();
            case PARKED -> LockSupport.unpark(parked);
            default -> {
                // the next wait will see it
            }
        }
    }
}
