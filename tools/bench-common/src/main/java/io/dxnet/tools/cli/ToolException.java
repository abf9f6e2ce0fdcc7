package io.dxnet.tools.cli;

/** Ends a tool's run; the message states the reason and what the user must do. */
public class ToolException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception without a cause.
     *
     * @param message for the user
     */
    public ToolException(String message) {
        super(message);
    }

    /**
     * Creates an exception with its cause.
     *
     * @param message for the user
     * @param cause for the developer
     */
    public ToolException(String message, Throwable cause) {
        super(message, cause);
    }
}
