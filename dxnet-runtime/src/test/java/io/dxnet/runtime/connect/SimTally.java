package io.dxnet.runtime.connect;

/** What schedules came to, counted. One thread. */
final class SimTally {
    private long schedules;
    private long orderly;
    private long messages;
    private long handlerRequests;
    private long handlerRequestsUnanswered;
    private long handlerRequestsLost;
    private long requests;
    private long requestsLost;
    private long partings;
    private long partingsWhileOpening;

    /** A schedule in which only orderly events happened, before anything was shut down. */
    void orderly() {
        orderly++;
    }

    /**
     * A schedule at the end of which each node has disconnected each other one.
     *
     * @param openings pairs of nodes between which a direction was being opened then
     */
    void parted(int openings) {
        partings++;
        partingsWhileOpening += openings > 0 ? 1 : 0;
    }

    void schedule(int messagesSent) {
        schedules++;
        messages += messagesSent;
    }

    /** A request in a schedule with orderly events alone. */
    void request(SimMessage message) {
        if (message.depth == 0) {
            requests++;
            requestsLost += message.isLostWithItsConnection() ? 1 : 0;
            return;
        }
        handlerRequests++;
        handlerRequestsLost += message.isLostWithItsConnection() ? 1 : 0;
        handlerRequestsUnanswered += message.isAnswered() || message.isLostWithItsConnection() ? 0 : 1;
    }

    void add(SimTally other) {
        schedules += other.schedules;
        orderly += other.orderly;
        messages += other.messages;
        handlerRequests += other.handlerRequests;
        handlerRequestsUnanswered += other.handlerRequestsUnanswered;
        handlerRequestsLost += other.handlerRequestsLost;
        requests += other.requests;
        requestsLost += other.requestsLost;
        partings += other.partings;
        partingsWhileOpening += other.partingsWhileOpening;
    }

    long schedules() {
        return schedules;
    }

    long partingsWhileOpening() {
        return partingsWhileOpening;
    }

    @Override
    public String toString() {
        return schedules + " schedules, " + messages + " messages; " + orderly
                + " schedules with orderly events alone: "
                + handlerRequestsLost + " of " + handlerRequests
                + " requests of message handlers failed with their connection, "
                + handlerRequestsUnanswered + " timed out; " + requestsLost + " of " + requests
                + " requests of application threads failed with their connection; in " + partings
                + " schedules the nodes parted, in " + partingsWhileOpening
                + " of these while a direction was being opened";
    }
}
