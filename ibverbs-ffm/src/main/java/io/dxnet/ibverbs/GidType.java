package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** What a GID of the table stands for ({@code enum ibv_gid_type}). */
public enum GidType {
    /** InfiniBand. */
    IB(verbs_h.IBV_GID_TYPE_IB()),
    /** RoCE v1: Ethernet frames, not routed. */
    ROCE_V1(verbs_h.IBV_GID_TYPE_ROCE_V1()),
    /** RoCE v2: UDP datagrams to port 4791, routed. */
    ROCE_V2(verbs_h.IBV_GID_TYPE_ROCE_V2()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final GidType[] ALL = values();

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code enum ibv_gid_type}
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
    public static GidType of(int code) {
        for (GidType each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
