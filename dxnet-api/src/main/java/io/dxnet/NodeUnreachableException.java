package io.dxnet;

import org.jspecify.annotations.Nullable;

/**
 * The node has no address, did not answer within {@link DXNetConfig#connectTimeoutMs()}, or refused
 * the connection. Nothing was sent.
 */
public class NodeUnreachableException extends DXNetException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public NodeUnreachableException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public NodeUnreachableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
