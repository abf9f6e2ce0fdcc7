package io.dxnet.transport.idle;

/**
 * Where a thread parks that waits for events of the system: a selector, or a completion channel.
 */
public interface ParkingPlace {
    /**
     * Arms what ends the park, then checks for work. The waiting thread, after
     * {@link ThreadSignal#raise} can see it.
     *
     * @return whether the thread may park; false where there is work that would not end the park
     */
    boolean mayPark();

    /**
     * Parks until an event, until {@link #unpark}, or for a time; may end early. The waiting
     * thread.
     *
     * @param timeoutNs the longest time, nanoseconds, at least the shortest one that the signal
     *     was made with
     */
    void park(long timeoutNs);

    /** Ends the park that is under way, or the next one. Any thread. */
    void unpark();
}
