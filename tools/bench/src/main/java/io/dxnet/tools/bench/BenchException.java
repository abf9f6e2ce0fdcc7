package io.dxnet.tools.bench;

/** The benchmark can't go on; the message is for the user. */
final class BenchException extends Exception {
    private static final long serialVersionUID = 1L;

    BenchException(String message) {
        super(message);
    }

    BenchException(String message, Throwable cause) {
        super(message, cause);
    }
}
