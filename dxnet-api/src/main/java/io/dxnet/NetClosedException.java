package io.dxnet;

/**
 * The {@link DXNet} was closed, before the call or during it. A message that was being written, or
 * a request that was outstanding, may or may not have reached the other node.
 */
public class NetClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public NetClosedException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public NetClosedException(String message, Throwable cause) {
        super(message, cause);
    }
}
