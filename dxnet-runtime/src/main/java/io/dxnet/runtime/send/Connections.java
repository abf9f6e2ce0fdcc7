package io.dxnet.runtime.send;

import io.dxnet.DXNetException;
import io.dxnet.Disconnect;
import io.dxnet.NetClosedException;
import io.dxnet.runtime.peer.ConnectionLife;
import io.dxnet.runtime.peer.PeerConnection;
import java.util.List;
import java.util.function.Predicate;

/** The connections by node id, as those see them that send. Any thread; no call waits. */
public interface Connections {
    /**
     * {@return the connection to a node, made now where there is
     * none; its ring may still be closed}
     */
    PeerConnection connectionTo(int nodeId) throws DXNetException;

    /** Begins to open the stream to the connection's node, unless that has begun. */
    void openOutgoing(PeerConnection connection);

    /**
     * Removes a connection that ends from the table, so that the next
     * {@link #connectionTo} returns another one.
     */
    void leaveIfEnding(PeerConnection connection);

    /**
     * For a message handler, which should not wait: the connection itself, or a
     * predecessor that can still be written to.
     *
     * @param isOfUse whether a connection accepts what is to be sent
     */
    PeerConnection usableNow(PeerConnection connection, Predicate<ConnectionLife> isOfUse);

    /** Ends a connection at once; the second call does nothing. */
    void lost(PeerConnection connection, Disconnect.Reason reason, String detail);

    /**
     * Fails the requests that a connection which has ended leaves unanswered, when the responses
     * that arrived by it are handled. The thread that ends it does that too, but does not find a
     * request whose sender marks it as sent after that.
     */
    void failRequests(PeerConnection connection);

    /** Fails with {@link io.dxnet.NetClosedException} when the node is closed. */
    void checkOpen();

    /** {@return the connections to a node, in whatever state; a snapshot} */
    List<PeerConnection> connections(int nodeId);

    /** {@return whether no connection is made any more} */
    boolean isClosing();

    /** {@return the exception of calls after the node was closed} */
    NetClosedException closedException();
}
