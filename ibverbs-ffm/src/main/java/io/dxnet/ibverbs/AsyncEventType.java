package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** What happened ({@code enum ibv_event_type}; {@code man ibv_get_async_event}). */
public enum AsyncEventType {
    /** A completion queue overran: it is lost, and what used it. */
    CQ_ERR(verbs_h.IBV_EVENT_CQ_ERR()),
    /** A queue pair failed. */
    QP_FATAL(verbs_h.IBV_EVENT_QP_FATAL()),
    /** A queue pair got an invalid request. */
    QP_REQ_ERR(verbs_h.IBV_EVENT_QP_REQ_ERR()),
    /** A queue pair got a request for memory it may not touch. */
    QP_ACCESS_ERR(verbs_h.IBV_EVENT_QP_ACCESS_ERR()),
    /** A packet arrived while ready to receive. */
    COMM_EST(verbs_h.IBV_EVENT_COMM_EST()),
    /** The send queue is drained. */
    SQ_DRAINED(verbs_h.IBV_EVENT_SQ_DRAINED()),
    /** The connection moved to the alternate path. */
    PATH_MIG(verbs_h.IBV_EVENT_PATH_MIG()),
    /** It could not. */
    PATH_MIG_ERR(verbs_h.IBV_EVENT_PATH_MIG_ERR()),
    /** The device failed. */
    DEVICE_FATAL(verbs_h.IBV_EVENT_DEVICE_FATAL()),
    /** A port carries traffic. */
    PORT_ACTIVE(verbs_h.IBV_EVENT_PORT_ACTIVE()),
    /** A port lost its link. */
    PORT_ERR(verbs_h.IBV_EVENT_PORT_ERR()),
    /** A port has another LID. */
    LID_CHANGE(verbs_h.IBV_EVENT_LID_CHANGE()),
    /** A partition table changed. */
    PKEY_CHANGE(verbs_h.IBV_EVENT_PKEY_CHANGE()),
    /** Another subnet manager. */
    SM_CHANGE(verbs_h.IBV_EVENT_SM_CHANGE()),
    /** A shared receive queue failed. */
    SRQ_ERR(verbs_h.IBV_EVENT_SRQ_ERR()),
    /** A shared receive queue holds fewer requests than its limit; the limit is off now. */
    SRQ_LIMIT_REACHED(verbs_h.IBV_EVENT_SRQ_LIMIT_REACHED()),
    /**
     * A queue pair in error uses no more of its shared receive queue; rxe repeats it,
     * other devices may not send it.
     */
    QP_LAST_WQE_REACHED(verbs_h.IBV_EVENT_QP_LAST_WQE_REACHED()),
    /** The subnet manager asks to subscribe again. */
    CLIENT_REREGISTER(verbs_h.IBV_EVENT_CLIENT_REREGISTER()),
    /** A GID table changed. */
    GID_CHANGE(verbs_h.IBV_EVENT_GID_CHANGE()),
    /** A work queue failed. */
    WQ_FATAL(verbs_h.IBV_EVENT_WQ_FATAL()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final AsyncEventType[] ALL = values();

    private final int code;

    AsyncEventType(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code enum ibv_event_type}
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
    public static AsyncEventType of(int code) {
        for (AsyncEventType each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
