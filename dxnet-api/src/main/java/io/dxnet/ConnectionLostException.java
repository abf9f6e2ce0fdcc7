package io.dxnet;

/**
 * The connection broke while a request was outstanding or a message was being written. The other
 * node may or may not have got it.
 */
public class ConnectionLostException extends DXNetException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public ConnectionLostException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public ConnectionLostException(String message, Throwable cause) {
        super(message, cause);
    }
}
