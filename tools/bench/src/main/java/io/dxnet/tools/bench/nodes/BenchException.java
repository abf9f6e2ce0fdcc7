package io.dxnet.tools.bench.nodes;

/** Ends the benchmark; the message is for the user. */
public final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    /**
     * An exception.
     *
     * @param message for the user
     */
    public BenchException(String message) {
        super(message);
    }

    /**
     * An exception with its cause.
     *
     * @param message for the user
     * @param cause for the developer
     */
    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
