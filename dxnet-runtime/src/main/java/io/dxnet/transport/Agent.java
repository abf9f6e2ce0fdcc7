package io.dxnet.transport;

/**
 * One stage of the engine: a duty cycle without a thread of its own. The threading layout
 * decides which thread runs which agents; one thread at a time runs an agent.
 */
public interface Agent {
    /**
     * {@return the stage's short name, part of its thread's name: {@code send},
     * {@code recv}, {@code mcc}, {@code handler-0}}
     */
    String role();

    /**
     * Does what there is to do, a bounded amount of it, and never blocks. An exception is
     * reported to the error handler and the agent is called again.
     *
     * @return an amount of work, 0 when there was nothing to do
     * @throws Exception whatever failed
     */
    int doWork() throws Exception;

    /**
     * Waits until there may be something to do, {@link #wakeup} is called, or the
     * time is over. The agent's thread calls it after {@link #doWork} found nothing.
     * What became ready between the two must end the wait at once.
     *
     * @param timeoutNs the longest wait, nanoseconds, more than 0
     */
    void await(long timeoutNs);

    /** Ends the current or the next {@link #await}. Any thread. */
    void wakeup();
}
