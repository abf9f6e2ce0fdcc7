package io.dxnet.tools.verbs;

/** A benchmark that cannot go on; the message says why and what to do. */
public class BenchException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Makes one.
     *
     * @param message one sentence for whoever runs the benchmark
     */
    public BenchException(String message) {
        super(message);
    }

    /**
     * Makes one.
     *
     * @param message one sentence for whoever runs the benchmark
     * @param cause what happened
     */
    public BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
