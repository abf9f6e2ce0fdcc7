package io.dxnet.transport;

import io.dxnet.NodeUnreachableException;

/**
 * A connection could not be opened because one of the two nodes has ended it meanwhile,
 * or has begun another one. The node is there, and a new connection to it may be opened at once.
 * The engine does so; an application sees this only when the time for connecting is over.
 */
public final class StaleConnectionException extends NodeUnreachableException {
    private static final long serialVersionUID = 1L;

    /** Whether the other node has ended the connection. */
    private final boolean endedByPeer;

    /**
     * Where a new attempt for the same connection may succeed.
     *
     * @param message which node, and what happened
     */
    public StaleConnectionException(String message) {
        this(message, false);
    }

    private StaleConnectionException(String message, boolean endedByPeer) {
        super(message);
        this.endedByPeer = endedByPeer;
    }

    /**
     * Makes the exception for a connection that the other node has ended: it will refuse each
     * attempt for it.
     *
     * @param message which node, and what it answered
     * @return the exception
     */
    public static StaleConnectionException endedByPeer(String message) {
        return new StaleConnectionException(message, true);
    }

    /** {@return whether the other node has answered that it has ended this very connection} */
    public boolean isEndedByPeer() {
        return endedByPeer;
    }
}
