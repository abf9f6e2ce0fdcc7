package io.dxnet.transport.ib.memory;

import io.dxnet.ibverbs.WcStatus;
import io.dxnet.transport.ib.qp.CompletionErrors;
import io.dxnet.transport.memory.MemoryOperation.Cause;

/**
 * What a failed request means for the access.
 *
 * @param cause of it and of those behind it
 * @param isRefusal whether the owner's device refused it before it began: it changed nothing if it
 *     is one packet, and those behind it were never carried out
 * @param detail in words
 */
record Failure(Cause cause, boolean isRefusal, String detail) {
    static Failure of(int owner, WcStatus status) {
        return switch (status) {
            case REM_ACCESS_ERR, REM_INV_REQ_ERR ->
                new Failure(
                        Cause.REFUSED,
                        true,
                        "the device of node " + owner + " refused it: no right, out of bounds, or revoked (" + status
                                + ")");
            case REM_OP_ERR -> new Failure(Cause.REFUSED, false, words(owner, status));
            default -> new Failure(Cause.LOST, false, words(owner, status));
        };
    }

    private static String words(int owner, WcStatus status) {
        return CompletionErrors.describe(owner, "one-sided access", status);
    }
}
