package io.dxnet;

/**
 * The other node received nothing for {@link DXNetConfig#sendTimeoutMs()}. The message was not
 * sent. Where it was larger than half the ring ({@link DXNetConfig#ringBytes()}) and had begun, its
 * connection was closed, because nothing can follow half a message.
 */
public class SendTimeoutException extends DXNetException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public SendTimeoutException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public SendTimeoutException(String message, Throwable cause) {
        super(message, cause);
    }
}
