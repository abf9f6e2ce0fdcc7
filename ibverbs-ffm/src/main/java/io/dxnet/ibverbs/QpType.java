package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** A queue pair's service ({@code enum ibv_qp_type}). */
public enum QpType {
    /** Reliable connection. */
    RC(verbs_h.IBV_QPT_RC()),
    /** Unreliable connection. */
    UC(verbs_h.IBV_QPT_UC()),
    /** Unreliable datagram. */
    UD(verbs_h.IBV_QPT_UD());

    private static final QpType[] ALL = values();

    private final int code;

    QpType(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of the C enum
     */
    public int code() {
        return code;
    }

    /**
     * Finds the constant of a number.
     *
     * @param code a value of the C enum
     * @return its constant
     */
    public static QpType of(int code) {
        for (QpType each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        throw new IllegalArgumentException("QpType " + code);
    }
}
