package io.dxnet;

/** The message is larger than {@link DXNetConfig#maxMessageBytes()}. Nothing was sent. */
public class MessageTooLargeException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public MessageTooLargeException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public MessageTooLargeException(String message, Throwable cause) {
        super(message, cause);
    }
}
