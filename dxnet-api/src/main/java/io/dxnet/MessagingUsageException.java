package io.dxnet;

/** The program uses the library wrongly; the message states what to change. */
public class MessagingUsageException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * With a message.
     *
     * @param message which node, which message, and what to do
     */
    public MessagingUsageException(String message) {
        super(message);
    }

    /**
     * With a message and a cause.
     *
     * @param message which node, which message, and what to do
     * @param cause what was underneath
     */
    public MessagingUsageException(String message, Throwable cause) {
        super(message, cause);
    }
}
