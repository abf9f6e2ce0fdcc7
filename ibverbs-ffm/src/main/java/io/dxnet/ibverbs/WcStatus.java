package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** How a work request ended ({@code enum ibv_wc_status}; {@code man ibv_poll_cq}). */
public enum WcStatus {
    /** Done. */
    SUCCESS(verbs_h.IBV_WC_SUCCESS()),
    /** A message was longer than the receive buffer, or than the limit. */
    LOC_LEN_ERR(verbs_h.IBV_WC_LOC_LEN_ERR()),
    /** The queue pair could not carry out the request. */
    LOC_QP_OP_ERR(verbs_h.IBV_WC_LOC_QP_OP_ERR()),
    /** Local end-to-end context error. */
    LOC_EEC_OP_ERR(verbs_h.IBV_WC_LOC_EEC_OP_ERR()),
    /** A local key, range or access is wrong. */
    LOC_PROT_ERR(verbs_h.IBV_WC_LOC_PROT_ERR()),
    /** The queue pair was in error before this request ran. */
    WR_FLUSH_ERR(verbs_h.IBV_WC_WR_FLUSH_ERR()),
    /** Binding a memory window failed. */
    MW_BIND_ERR(verbs_h.IBV_WC_MW_BIND_ERR()),
    /** The other side answered nonsense. */
    BAD_RESP_ERR(verbs_h.IBV_WC_BAD_RESP_ERR()),
    /** A write with immediate hit protected local memory. */
    LOC_ACCESS_ERR(verbs_h.IBV_WC_LOC_ACCESS_ERR()),
    /** The other side refused the request as invalid. */
    REM_INV_REQ_ERR(verbs_h.IBV_WC_REM_INV_REQ_ERR()),
    /** The remote key, range or access is wrong. */
    REM_ACCESS_ERR(verbs_h.IBV_WC_REM_ACCESS_ERR()),
    /** The other side could not carry out the request. */
    REM_OP_ERR(verbs_h.IBV_WC_REM_OP_ERR()),
    /** No answer after all retries: the other side or the path is gone. */
    RETRY_EXC_ERR(verbs_h.IBV_WC_RETRY_EXC_ERR()),
    /** The other side had no receive buffer, after all retries. */
    RNR_RETRY_EXC_ERR(verbs_h.IBV_WC_RNR_RETRY_EXC_ERR()),
    /** Reliable datagram domain violation. */
    LOC_RDD_VIOL_ERR(verbs_h.IBV_WC_LOC_RDD_VIOL_ERR()),
    /** Invalid reliable datagram request. */
    REM_INV_RD_REQ_ERR(verbs_h.IBV_WC_REM_INV_RD_REQ_ERR()),
    /** The other side aborted. */
    REM_ABORT_ERR(verbs_h.IBV_WC_REM_ABORT_ERR()),
    /** Invalid end-to-end context number. */
    INV_EECN_ERR(verbs_h.IBV_WC_INV_EECN_ERR()),
    /** Invalid end-to-end context state. */
    INV_EEC_STATE_ERR(verbs_h.IBV_WC_INV_EEC_STATE_ERR()),
    /** The device failed. */
    FATAL_ERR(verbs_h.IBV_WC_FATAL_ERR()),
    /** The response came too late. */
    RESP_TIMEOUT_ERR(verbs_h.IBV_WC_RESP_TIMEOUT_ERR()),
    /** Another error. */
    GENERAL_ERR(verbs_h.IBV_WC_GENERAL_ERR()),
    /** Tag matching failed. */
    TM_ERR(verbs_h.IBV_WC_TM_ERR()),
    /** A rendezvous stays to be completed. */
    TM_RNDV_INCOMPLETE(verbs_h.IBV_WC_TM_RNDV_INCOMPLETE()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final WcStatus[] ALL = values();

    private final int code;

    WcStatus(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code enum ibv_wc_status}
     */
    public int code() {
        return code;
    }

    /**
     * Finds the constant of a number.
     *
     * @param code a value of the C enum
     * @return its constant, {@link #UNKNOWN} for a number that is none
     */
    public static WcStatus of(int code) {
        for (WcStatus each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
