package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** Whether remote atomics are atomic, and among which parties ({@code enum ibv_atomic_cap}). */
public enum AtomicCapability {
    /** Not offered. */
    NONE(verbs_h.IBV_ATOMIC_NONE()),
    /** Among the requests to one device. */
    HCA(verbs_h.IBV_ATOMIC_HCA()),
    /** Also with the processor. */
    GLOB(verbs_h.IBV_ATOMIC_GLOB()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final AtomicCapability[] ALL = values();

    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code enum ibv_atomic_cap}
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
    public static AtomicCapability of(int code) {
        for (AtomicCapability each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
