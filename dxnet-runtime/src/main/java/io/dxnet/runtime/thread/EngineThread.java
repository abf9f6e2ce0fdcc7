package io.dxnet.runtime.thread;

import io.dxnet.MessagingUsageException;
import io.dxnet.transport.Agent;
import io.dxnet.transport.idle.IdleStrategies;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread of the engine: runs one agent until it is stopped. An exception of the
 * agent is reported, and the agent continues.
 */
public final class EngineThread extends Thread {
    /** What a thread does while one of its callbacks waits: see {@link Progress#progress}. */
    public interface Progress {
        /**
         * Does the work of this thread that others may be waiting for, without
         * calling the application's receivers.
         *
         * @return an amount of work
         */
        int progress();
    }

    /** Receives the exceptions. */
    public interface Errors {
        void error(String what, Throwable error);
    }

    /**
     * Of a thread that calls no receivers: while it waits, it has nothing to do
     * that others wait for.
     */
    public static final Progress NONE = () -> 0;

    private static final long AWAIT_NS_MAX = 100_000_000;
    private static final long FAILED_NS = 1_000_000;

    private Completions.@Nullable Backlog completes; // this thread; read by completions

    private final Agent agent;
    private final Progress progress;
    private final IdleStrategies strategies;
    private final Errors errors;
    private volatile boolean stopped;

    public EngineThread(String name, Agent agent, Progress progress, IdleStrategies strategies, Errors errors) {
        super(null, null, name, 0, false);
        setDaemon(true);
        this.agent = agent;
        this.progress = progress;
        this.strategies = strategies;
        this.errors = errors;
    }

    /** {@return the calling thread, when it is one of an engine; null for others} */
    public static @Nullable EngineThread current() {
        return Thread.currentThread() instanceof EngineThread thread ? thread : null;
    }

    /**
     * {@return the calling thread, when it is one of an engine and has to continue
     * its work while it waits; null for others}
     */
    public static @Nullable EngineThread currentWorker() {
        EngineThread thread = current();
        return thread == null || thread.progress == NONE ? null : thread;
    }

    /**
     * Sets where this thread puts futures. This thread.
     *
     * @param backlog not null while it handles responses between two callbacks: then it
     *     completes their futures itself
     */
    public void completes(Completions.@Nullable Backlog backlog) {
        completes = backlog;
    }

    /** {@return where this thread puts futures; null where others complete them} */
    Completions.@Nullable Backlog completes() {
        return completes;
    }

    public Progress work() {
        return progress;
    }

    /** Does work of its own, or pauses: one step of a wait inside a callback. This thread. */
    public void progressOrPause(int step) {
        if (progress.progress() == 0) {
            strategies.pause(step);
        }
    }

    /** {@return the step that a wait begins with} */
    int firstStep() {
        return strategies.firstStep();
    }

    public void shutdown() {
        stopped = true;
        agent.wakeup();
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                runAgent();
            } catch (Throwable e) {
                failed(e);
            }
        }
    }

    private void runAgent() throws Exception {
        long idleSinceNs = 0;
        boolean idle = false;
        while (!stopped) {
            int work = agent.doWork();
            clearInterrupt();
            if (work > 0) {
                idle = false;
            } else {
                if (!idle) {
                    idle = true;
                    idleSinceNs = System.nanoTime();
                }
                if (!strategies.idle().pauseSince(idleSinceNs)) {
                    agent.await(AWAIT_NS_MAX);
                }
            }
        }
    }

    /** Reports an error, and pauses: there may be the same one in each duty cycle. */
    private void failed(Throwable error) {
        try {
            clearInterrupt();
            errors.error(getName() + " failed in a duty cycle and continues", error);
        } catch (Throwable _) {
            // It could not be reported, for want of memory: the thread continues all the same.
        }
        LockSupport.parkNanos(this, FAILED_NS);
    }

    /** A thread with that flag never parks, and its selector never waits. */
    private void clearInterrupt() {
        if (Thread.interrupted()) {
            errors.error(
                    getName() + " was interrupted, the flag is cleared",
                    new MessagingUsageException(
                            "a listener, an error handler or a dependent of a future interrupted an engine's thread"));
        }
    }
}
