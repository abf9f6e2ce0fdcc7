package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/** The largest payload of one packet ({@code enum ibv_mtu}). */
public enum Mtu {
    /** 256 bytes. */
    MTU_256(verbs_h.IBV_MTU_256()),
    /** 512 bytes. */
    MTU_512(verbs_h.IBV_MTU_512()),
    /** 1024 bytes. */
    MTU_1024(verbs_h.IBV_MTU_1024()),
    /** 2048 bytes. */
    MTU_2048(verbs_h.IBV_MTU_2048()),
    /** 4096 bytes. */
    MTU_4096(verbs_h.IBV_MTU_4096());

    private static final Mtu[] ALL = values();

    private final int code;

    Mtu(int code) {
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
    public static Mtu of(int code) {
        for (Mtu each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        throw new IllegalArgumentException("Mtu " + code);
    }

    /**
     * Returns the size.
     *
     * @return the payload in bytes
     */
    public int bytes() {
        return 128 << code;
    }
}
