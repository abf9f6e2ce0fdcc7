package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/**
 * What a completed request was ({@code enum ibv_wc_opcode}); without meaning
 * where the status is not success.
 */
public enum WcOpcode {
    /** A send, with or without immediate data. */
    SEND(verbs_h.IBV_WC_SEND()),
    /** An RDMA write. */
    RDMA_WRITE(verbs_h.IBV_WC_RDMA_WRITE()),
    /** An RDMA read. */
    RDMA_READ(verbs_h.IBV_WC_RDMA_READ()),
    /** An atomic compare and swap. */
    COMP_SWAP(verbs_h.IBV_WC_COMP_SWAP()),
    /** An atomic fetch and add. */
    FETCH_ADD(verbs_h.IBV_WC_FETCH_ADD()),
    /** A memory window was bound. */
    BIND_MW(verbs_h.IBV_WC_BIND_MW()),
    /** A memory window was invalidated locally. */
    LOCAL_INV(verbs_h.IBV_WC_LOCAL_INV()),
    /** A segmented packet. */
    TSO(verbs_h.IBV_WC_TSO()),
    /** An atomic write. */
    ATOMIC_WRITE(verbs_h.IBV_WC_ATOMIC_WRITE()),
    /** A receive that a send filled. */
    RECV(verbs_h.IBV_WC_RECV()),
    /** A receive that an RDMA write with immediate data used up. */
    RECV_RDMA_WITH_IMM(verbs_h.IBV_WC_RECV_RDMA_WITH_IMM()),
    /** A number that this binding does not know; the raw number is kept beside it. */
    UNKNOWN(-1);

    private static final WcOpcode[] ALL = values();

    private final int code;

    WcOpcode(int code) {
        this.code = code;
    }

    /**
     * Returns the number of the C interface.
     *
     * @return the value of {@code enum ibv_wc_opcode}
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
    public static WcOpcode of(int code) {
        for (WcOpcode each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        return UNKNOWN;
    }
}
