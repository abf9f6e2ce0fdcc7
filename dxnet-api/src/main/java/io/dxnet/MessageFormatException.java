package io.dxnet;

/** A received message does not hold what {@link Importable#importObject} tried to read from it. */
public class MessageFormatException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public MessageFormatException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public MessageFormatException(String message, Throwable cause) {
        super(message, cause);
    }
}
