package io.dxnet.runtime.handle;

import io.dxnet.runtime.report.ErrorText;

/** The executor of a handler did not accept a message: the handler has not run. */
final class RefusedByExecutor extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedByExecutor(Throwable cause) {
        super("the executor of its handler refused it: " + ErrorText.textOf(cause), cause);
    }
}
