package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** A queue pair's state ({@code enum ibv_qp_state}; {@code man ibv_modify_qp}). */
public enum QpState {
    /** As created: nothing may be posted. */
    RESET(verbs_h.IBV_QPS_RESET()),
    /** Receives may be posted. */
    INIT(verbs_h.IBV_QPS_INIT()),
    /** Ready to receive. */
    RTR(verbs_h.IBV_QPS_RTR()),
    /** Ready to send as well. */
    RTS(verbs_h.IBV_QPS_RTS()),
    /** The send queue drains. */
    SQD(verbs_h.IBV_QPS_SQD()),
    /** The send queue failed (UD only). */
    SQE(verbs_h.IBV_QPS_SQE()),
    /** Failed: all that is posted is flushed. */
    ERR(verbs_h.IBV_QPS_ERR()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final QpState[] ALL = values();

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code enum ibv_qp_state}
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
    public static QpState of(int code) {
        for (QpState each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
