package io.dxnet;

/**
 * No response came in time. The other node may still handle the
 * request; its late response is dropped.
 */
public class RequestTimeoutException extends DXNetException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public RequestTimeoutException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public RequestTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}
