package io.dxnet.transport;

import io.dxnet.NodeUnreachableException;

/**
 * A connection could not be opened because one of the two nodes has ended it meanwhile,
 * or has begun another one. The node is there, and a new connection to it may be opened at once.
 * The engine does so; an application sees this only when the time for connecting is over.
 */
public final class StaleConnectionException extends NodeUnreachableException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, and what happened
     */
    public StaleConnectionException(String message) {
        super(message);
    }
}
