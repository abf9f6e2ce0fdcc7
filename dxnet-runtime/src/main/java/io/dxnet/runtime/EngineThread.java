package io.dxnet.runtime;

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

    Progress work() {
        return progress;
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
        try {
            return agent.doWork();
        } catch (Throwable e) {
            errors.error(getName() + " failed in a duty cycle and goes on", e);
            return 0;
        }
    }
}
