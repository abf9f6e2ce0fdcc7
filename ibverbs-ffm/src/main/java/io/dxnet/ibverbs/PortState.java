package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** A port's state ({@code enum ibv_port_state}; {@code man ibv_query_port}). */
public enum PortState {
    /** Nothing known. */
    NOP(verbs_h.IBV_PORT_NOP()),
    /** No link. */
    DOWN(verbs_h.IBV_PORT_DOWN()),
    /** Link, not yet configured. */
    INIT(verbs_h.IBV_PORT_INIT()),
    /** Configured, not yet active. */
    ARMED(verbs_h.IBV_PORT_ARMED()),
    /** Carries traffic. */
    ACTIVE(verbs_h.IBV_PORT_ACTIVE()),
    /** Active, link lost a moment ago. */
    ACTIVE_DEFER(verbs_h.IBV_PORT_ACTIVE_DEFER()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final PortState[] ALL = values();

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code enum ibv_port_state}
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
    public static PortState of(int code) {
        for (PortState each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
