package io.dxnet.transport.ib;

import io.dxnet.ibverbs.CompletionChannel;
import io.dxnet.ibverbs.CompletionQueue;
import io.dxnet.transport.BusyPhase;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How an agent waits: load-adaptive (Ibdxnet §7.2.5). After work it first looks again and again, then yields between its looks,
 * then sleeps in the completion channel until a completion or another thread wakes it up.
 *
 * <p>Waking up is a system call, so it is done only when the agent sleeps or is about to: a word says so. The agent sets it, arms
 * its queues and looks for work once more; a poster publishes its work, then looks at the word: one of the two sees the other.
 */
final class EventWait {
    private static final int RUNNING = 0;
    private static final int SLEEPING = 1;
    private static final int PARKED = 2;
    private static final int NOTIFIED = 3;

    /** A channel waits for whole milliseconds; for less, the thread parks, and completions wait as long at the worst. */
    private static final long CHANNEL_NS_MIN = TimeUnit.MICROSECONDS.toNanos(900);

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(EventWait.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** What is waited for; called by the waiting thread. */
    interface Work {
        /** Looks whether there is work; may poll. */
        boolean hasWork();

        /** Arms the queues, so that what completes from now on is announced in the channel. */
        void arm();

        /** A queue's announcement came: it is not armed any more. */
        void fired(CompletionQueue queue);
    }

    private final CompletionChannel channel;
    private final BusyPhase busy;
    private volatile int state = RUNNING; // the agent, and those who wake it up
    private volatile Thread sleeper; // the agent, before it is PARKED

    /**
     * For one agent.
     *
     * @param channel of its queues
     * @param busy what comes before it sleeps
     */
    EventWait(CompletionChannel channel, BusyPhase busy) {
        this.channel = channel;
        this.busy = busy;
    }

    /** Whether completions announced there end a wait. */
    boolean covers(CompletionChannel other) {
        return channel == other;
    }

    /** There was work: the next wait begins with looking. The agent. */
    void worked() {
        busy.worked();
    }

    /** Waits. The agent. */
    void await(Work work, long timeoutNs) {
        busy.begin(timeoutNs);
        do {
            if (state == NOTIFIED) {
                state = RUNNING;
                return;
            }
            if (work.hasWork()) {
                return;
            }
        } while (busy.pause());
        sleep(work, busy.leftNs());
    }

    private void sleep(Work work, long ns) {
        if (ns <= 0) {
            return;
        }
        boolean park = ns < CHANNEL_NS_MIN;
        sleeper = park ? Thread.currentThread() : null;
        if (!STATE.compareAndSet(this, RUNNING, park ? PARKED : SLEEPING)) {
            state = RUNNING;
            return;
        }
        try {
            if (!park) {
                work.arm();
            }
            if (work.hasWork()) {
                return;
            }
            if (park) {
                LockSupport.parkNanos(this, ns);
            } else {
                CompletionQueue queue =
                        channel.await(Math.clamp(TimeUnit.NANOSECONDS.toMillis(ns), 1, Integer.MAX_VALUE));
                if (queue != null) {
                    work.fired(queue);
                }
            }
        } finally {
            state = RUNNING;
        }
    }

    /** Wakes the agent up where that is needed; call it after publishing the work. Any thread. */
    void wakeIfAsleep() {
        int seen = state;
        if (seen == SLEEPING || seen == PARKED) {
            wakeup();
        }
    }

    /** Ends the current or the next wait. Any thread. */
    void wakeup() {
        switch ((int) STATE.getAndSet(this, NOTIFIED)) {
            case SLEEPING -> channel.wakeUp();
            case PARKED -> LockSupport.unpark(sleeper);
            default -> {
                // the next wait will see it
            }
        }
    }
}
