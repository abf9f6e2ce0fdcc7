package io.dxnet.transport.handshake;

/**
 * Which connection of which run of the other node a connection leads to,
 * as its hello or reply states.
 *
 * @param incarnation the run; 0 where no node is there yet
 * @param connectionId the other node's number of it; later ones are higher
 */
public record PeerIdentity(long incarnation, long connectionId) {
    /** No node is there yet. */
    public static final PeerIdentity NONE = new PeerIdentity(0, 0);

    /** {@return whether a hello or reply came; false for {@link #NONE}} */
    public boolean isKnown() {
        return incarnation != 0;
    }

    /**
     * {@return whether a hello is of that connection, or of an earlier attempt to open it:
     * of the same run, with no higher number}
     *
     * @param hello the other node's
     */
    public boolean isOf(Hello hello) {
        return incarnation == hello.incarnation() && connectionId >= hello.connectionId();
    }

    /**
     * {@return whether the other node, in the same run, has made a later connection,
     * with a higher number, so that this one is over}
     *
     * @param hello the other node's
     */
    public boolean isSupersededBy(Hello hello) {
        return incarnation == hello.incarnation() && connectionId < hello.connectionId();
    }

    /**
     * {@return whether a hello is of another run of the node, or of another node with
     * the same id; false where no node is there yet}
     *
     * @param hello with this node's id
     */
    public boolean isOfAnotherRunThan(Hello hello) {
        return isKnown() && incarnation != hello.incarnation();
    }
}
