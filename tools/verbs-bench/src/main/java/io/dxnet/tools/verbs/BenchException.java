package io.dxnet.tools.verbs;

/** Ends a benchmark; the message states the reason and what to do. */
public class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception without a cause.
     *
     * @param message one sentence for the user
     */
    public BenchException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message one sentence for the user
     * @param cause what happened
     */
    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
