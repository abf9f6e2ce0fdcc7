package io.dxnet.transport.handshake;

/**
 * Which connection of which run of the other node a connection leads to, as its hello or reply said.
 *
 * @param incarnation the run; 0 where nobody is there yet
 * @param connectionId the other node's number of it; later ones are higher
 */
public record Counterpart(long incarnation, long connectionId) {
    /** Nobody is there yet. */
    public static final Counterpart NONE = new Counterpart(0, 0);

    /**
     * Whether a hello or reply came.
     *
     * @return false for {@link #NONE}
     */
    public boolean isKnown() {
        return incarnation != 0;
    }

    /**
     * Whether a hello is of that connection, or of an earlier attempt to open it.
     *
     * @param hello the other node's
     * @return true for one of the same run with no higher number
     */
    public boolean isOf(Hello hello) {
        return incarnation == hello.incarnation() && connectionId >= hello.connectionId();
    }

    /**
     * Whether the other node, in the same run, has since made another connection, so that this one is over.
     *
     * @param hello the other node's
     * @return true for one of the same run with a higher number
     */
    public boolean isSupersededBy(Hello hello) {
        return incarnation == hello.incarnation() && connectionId < hello.connectionId();
    }

    /**
     * Whether it is another run of the node that says hello, or another node with the same id.
     *
     * @param hello with this node's id
     * @return true for one of another run; false where nobody is there yet
     */
    public boolean isOfAnotherRunThan(Hello hello) {
        return isKnown() && incarnation != hello.incarnation();
    }
}
