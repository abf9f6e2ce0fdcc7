package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** What carries a port's packets. */
public enum LinkLayer {
    /** Not specified; old drivers mean InfiniBand. */
    UNSPECIFIED(verbs_h.IBV_LINK_LAYER_UNSPECIFIED()),
    /** InfiniBand: addressed by LID. */
    INFINIBAND(verbs_h.IBV_LINK_LAYER_INFINIBAND()),
    /** Ethernet: RoCE or iWARP, addressed by GID. */
    ETHERNET(verbs_h.IBV_LINK_LAYER_ETHERNET()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final LinkLayer[] ALL = values();

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code IBV_LINK_LAYER_*}
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
    public static LinkLayer of(int code) {
        for (LinkLayer each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
