package io.dxnet.transport.ib;

import io.dxnet.transport.handshake.Hello;

/**
 * Which connection of which run of the other node a connection was opened to.
 *
 * @param incarnation the run; 0 where nobody is there yet
 * @param connectionId the other node's number of it; later ones are higher
 */
record PeerConnection(long incarnation, long connectionId) {
    static final PeerConnection NONE = new PeerConnection(0, 0);

    /** Whether a hello is of that connection, or of an earlier attempt to open it. */
    boolean isOf(Hello hello) {
        return incarnation == hello.incarnation() && connectionId >= hello.connectionId();
    }

    /** Whether the other node, in the same run, has since made another connection, so that this one is over. */
    boolean isSupersededBy(Hello hello) {
        return incarnation == hello.incarnation() && connectionId < hello.connectionId();
    }

    /** Whether it is another run of the node that says hello, or another node with the same id. */
    boolean isOfAnotherRunThan(Hello hello) {
        return incarnation != 0 && incarnation != hello.incarnation();
    }

    /** It is over: a hello that belongs to it comes too late. */
    void remember(int nodeId, PastConnections past) {
        if (incarnation != 0) {
            past.add(nodeId, incarnation, connectionId);
        }
    }
}
