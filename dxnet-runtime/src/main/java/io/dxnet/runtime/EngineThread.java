package io.dxnet.runtime;

import io.dxnet.MessagingUsageException;
import io.dxnet.transport.Agent;

/** A thread of the engine: runs one agent until it is stopped. An exception of the agent is reported, and the agent goes on. */
final class EngineThread extends Thread {
    /** What a callback that waits does meanwhile: see {@link Progress#progress}. */
    interface Progress {
        /**
         * Does the work of this thread that others may be waiting for, without calling the application's receivers.
         *
         * @return an amount of work
         */
        int progress();
    }

    /** Where exceptions go. */
    interface Errors {
        void error(String what, Throwable error);
    }

    /** Of a thread that calls no receivers: nothing that others wait for is its to do while it waits. */
    static final Progress NONE = () -> 0;

    /** Set while this thread handles responses between two callbacks: then it completes their futures itself. This thread. */
    Completions.Lane completes;

    private final Agent agent;
    private final Progress progress;
    private final Parking parking;
    private final Errors errors;
    private volatile boolean stopped;

    EngineThread(String name, Agent agent, Progress progress, Parking parking, Errors errors) {
        super(null, null, name, 0, false);
        setDaemon(true);
        this.agent = agent;
        this.progress = progress;
        this.parking = parking;
        this.errors = errors;
    }

    /** The calling thread, when it is one of an engine; null for others. */
    static EngineThread current() {
        return Thread.currentThread() instanceof EngineThread thread ? thread : null;
    }

    /** The calling thread, when it is one of an engine and has to go on working while it waits; null for others. */
    static EngineThread currentWorker() {
        EngineThread thread = current();
        return thread == null || thread.progress == NONE ? null : thread;
    }

    Progress work() {
        return progress;
    }

    /** Does work of its own, or pauses: one step of a wait inside a callback. This thread. */
    void progressOrPause(int step) {
        if (progress.progress() == 0) {
            parking.pause(step);
        }
    }

    /** The step that a wait begins with. */
    int firstStep() {
        return parking.firstStep();
    }

    void shutdown() {
        stopped = true;
        agent.wakeup();
    }

    @Override
    public void run() {
        long idleSinceNs = 0;
        boolean idle = false;
        while (!stopped) {
            int work = cycle();
            if (work > 0) {
                idle = false;
            } else {
                if (!idle) {
                    idle = true;
                    idleSinceNs = System.nanoTime();
                }
                parking.idle(agent, idleSinceNs);
            }
        }
    }

    private int cycle() {
        int work = 0;
        try {
            work = agent.doWork();
        } catch (Throwable e) {
            errors.error(getName() + " failed in a duty cycle and goes on", e);
        }
        if (Thread.interrupted()) { // a thread with that flag never parks, and its selector never waits
            errors.error(
                    getName() + " was interrupted, the flag is cleared",
                    new MessagingUsageException(
                            "a listener, an error handler or a dependent of a future interrupted an engine's thread"));
        }
        return work;
    }
}
