package io.dxnet.tools.bench.nodes;

/** The benchmark can't go on; the message is for the user. */
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
     * @param cause for those who repair it
     */
    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
