package io.dxnet;

import org.jspecify.annotations.Nullable;

/**
 * The network, or another node, failed: a checked exception, because the application is the
 * one that knows what to do then.
 */
public class DXNetException extends java.io.IOException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public DXNetException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public DXNetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
