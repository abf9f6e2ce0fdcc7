package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;

/**
 * What a memory region or a queue pair allows
 * ({@code enum ibv_access_flags}; {@code man ibv_reg_mr}).
 */
public enum Access {
    /** Receives and reads may write here; the three remote writes need it too. */
    LOCAL_WRITE(verbs_h.IBV_ACCESS_LOCAL_WRITE()),
    /** RDMA writes of others. */
    REMOTE_WRITE(verbs_h.IBV_ACCESS_REMOTE_WRITE()),
    /** RDMA reads of others. */
    REMOTE_READ(verbs_h.IBV_ACCESS_REMOTE_READ()),
    /** Atomics of others. */
    REMOTE_ATOMIC(verbs_h.IBV_ACCESS_REMOTE_ATOMIC()),
    /** Memory windows may be bound. */
    MW_BIND(verbs_h.IBV_ACCESS_MW_BIND()),
    /** Addresses count from the region. */
    ZERO_BASED(verbs_h.IBV_ACCESS_ZERO_BASED()),
    /** Not pinned: pages are faulted in. */
    ON_DEMAND(verbs_h.IBV_ACCESS_ON_DEMAND()),
    /** Backed by huge pages. */
    HUGETLB(verbs_h.IBV_ACCESS_HUGETLB()),
    /** The bus may reorder writes; ignored where not offered. */
    RELAXED_ORDERING(verbs_h.IBV_ACCESS_RELAXED_ORDERING());

    private static final Access[] ALL = values();

    private final int code;

    Access(int code) {
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
    public static Access of(int code) {
        for (Access each : ALL) {
            if (each.code == code) {
                return each;
            }
        }
        throw new IllegalArgumentException("Access " + code);
    }

    /** The flags of several. */
    static int flags(Access... access) {
        int flags = 0;
        for (Access each : access) {
            flags |= each.code;
        }
        return flags;
    }
}
