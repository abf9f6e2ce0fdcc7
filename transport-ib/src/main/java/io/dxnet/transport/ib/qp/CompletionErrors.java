package io.dxnet.transport.ib.qp;

import io.dxnet.ibverbs.WcStatus;

/**
 * What a failed work request means. Each one is the end of its queue pair, and so of the
 * connection or the access that it carries; the engine then fails what is outstanding.
 */
public final class CompletionErrors {
    private CompletionErrors() {}

    /**
     * Describes a failed work request in words, with what to check.
     *
     * @param nodeId the other node
     * @param what was done, as "sending"
     * @param status how it ended
     * @return a sentence
     */
    public static String describe(int nodeId, String what, WcStatus status) {
        return what + " failed: " + reason(nodeId, status) + " (" + status + ")";
    }

    private static String reason(int nodeId, WcStatus status) {
        return switch (status) {
            case RETRY_EXC_ERR ->
                "node " + nodeId + " did not answer for as long as ib.ackTimeout and ib.retryCount allow: it, or the"
                        + " link to it, is gone";
            case RNR_RETRY_EXC_ERR -> "node " + nodeId + " had no receive posted for too long";
            case WR_FLUSH_ERR -> "the queue pair had failed before";
            case REM_ACCESS_ERR, REM_INV_REQ_ERR ->
                "node " + nodeId
                        + " refused the request: its receives are smaller than it announced, or it is no DXNet node";
            case REM_OP_ERR, REM_ABORT_ERR, BAD_RESP_ERR ->
                "node " + nodeId + " could not carry it out: it is ending, or its memory is gone";
            case LOC_LEN_ERR -> "node " + nodeId + " sent more than a receive holds";
            case LOC_PROT_ERR, LOC_ACCESS_ERR, LOC_QP_OP_ERR, LOC_EEC_OP_ERR ->
                "the device can't use this node's memory or its own port";
            case FATAL_ERR, GENERAL_ERR, RESP_TIMEOUT_ERR -> "the device failed";
            default -> "the device reported it";
        };
    }
}
