package io.dxnet.tools.verbs.endpoints;

import io.dxnet.ibverbs.WcStatus;
import io.dxnet.tools.cli.ToolException;

/**
 * A request completed with an error. Where threads share a
 * queue, another thread may have polled the completion.
 */
final class CompletionFailedException extends ToolException {
    private static final long serialVersionUID = 1;

    private final boolean flushed;

    /**
     * Creates the exception.
     *
     * @param message which request, and its status
     * @param status of the completion
     */
    CompletionFailedException(String message, WcStatus status) {
        super(message);
        flushed = status == WcStatus.WR_FLUSH_ERR;
    }

    /** Whether the request is only one of those behind the one that failed. */
    boolean isFlushed() {
        return flushed;
    }
}
