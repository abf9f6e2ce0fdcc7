package io.dxnet.transport.shared;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * How a transport's agent waits: load-adaptive (Ibdxnet §7.2.5). After work it spins,
 * then polls with {@code Thread.yield} ({@link BusyPhase}), then sleeps as its transport does:
 * in a selector, or in a completion channel.
 *
 * <p>A wake-up is a system call, so it is done only when the agent sleeps or is about to:
 * a word shows that. The agent sets the word, then checks for work once more; a poster
 * publishes its work, then reads the word: one of the two sees the other. The first poster
 * that sees the word resets it, so there is one wake-up for each sleep.
 *
 * <p>{@link #wakeIfAsleep} and {@link #wakeup}: any thread; the others:
 * one thread at a time, not always the same.
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

    /** What the agent waits for, and where it sleeps. */
    public interface Sleeper {
        /** {@return whether there is work, which ends the wait} May poll. The waiting thread. */
        boolean hasWork();

        /**
         * {@return whether there is work that would not end the sleep that follows} The
         * last check before {@link #sleep}. The waiting thread.
         */
        boolean hasWorkBeforeSleep();

        /**
         * Sleeps until there is work, until {@link #endSleep} or for a time;
         * may end early. The waiting thread.
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
    private volatile int state = RUNNING; // the agent, and the threads that wake it up
    private volatile @Nullable Thread parked; // the agent, before it is PARKED

    /**
     * For one agent.
     *
     * @param busy what comes before it sleeps
     * @param sleepNsMin the shortest sleep that the sleeper offers, nanoseconds.
     *     For a shorter one the thread parks: a wake-up ends it, any other event is
     *     noticed late by no more than its time
     * @param sleeper what the agent waits for
     */
    public AdaptiveWait(BusyPhase busy, long sleepNsMin, Sleeper sleeper) {
        this.busy = busy;
        this.sleepNsMin = sleepNsMin;
        this.sleeper = sleeper;
    }

    /** There was work: the next wait begins with spinning. */
    public void worked() {
        busy.worked();
    }

    /**
     * Waits for work.
     *
     * @param timeoutNs the longest wait, nanoseconds; 0 and less: one check
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
     * Waits without a check before, for instance where work is to gather.
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

    /**
     * Wakes the agent up if it sleeps. Call it after publishing the work by a
     * volatile write or a stronger one.
     */
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
