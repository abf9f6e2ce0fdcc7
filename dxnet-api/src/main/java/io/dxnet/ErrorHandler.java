package io.dxnet;

/**
 * Receives exceptions that no caller can catch: those of callbacks and of threads of the engine.
 */
@FunctionalInterface
public interface ErrorHandler {
    /**
     * Called on the thread on which it happened; must not block. What
     * it throws is logged and dropped.
     *
     * @param what one sentence: what the engine was doing, for which node and which message
     * @param error what was thrown
     */
    void onError(String what, Throwable error);

    /**
     * Writes to {@link System.Logger} {@code io.dxnet}.
     *
     * @return the default handler
     */
    static ErrorHandler logging() {
        return LoggingErrorHandler.INSTANCE;
    }
}
