package io.dxnet.softhca;

/**
 * Which attributes {@code ibv_modify_qp} must and may have for each change of state,
 * after the InfiniBand specification (table "QP State Transition Properties") and the
 * kernel's {@code ib_modify_qp_is_ok}.
 */
final class QueuePairTransitions {
    private static final int ALTERNATE = Ibv.IBV_QP_ALT_PATH | Ibv.IBV_QP_PATH_MIG_STATE;

    /** What may be changed in RTR, RTS and SQD without leaving them. */
    private static final int RUNNING =
            Ibv.IBV_QP_CUR_STATE | Ibv.IBV_QP_ACCESS_FLAGS | Ibv.IBV_QP_MIN_RNR_TIMER | ALTERNATE;

    private QueuePairTransitions() {}

    /**
     * Checks a change.
     *
     * @param mask the attribute mask, without {@code IBV_QP_STATE} and {@code IBV_QP_CUR_STATE}
     */
    static boolean isAllowed(int type, int from, int to, int mask) {
        boolean reliable = type == Ibv.IBV_QPT_RC;
        int required = required(reliable, from, to);
        return required >= 0
                && (mask & required) == required
                && (mask & ~(required | optional(reliable, from, to))) == 0;
    }

    /** The attributes that must be there, -1 where the change is not allowed at all. */
    private static int required(boolean reliable, int from, int to) {
        if (to == Ibv.IBV_QPS_RESET || to == Ibv.IBV_QPS_ERR) {
            return 0;
        }
        int initial = Ibv.IBV_QP_PKEY_INDEX | Ibv.IBV_QP_PORT | (reliable ? Ibv.IBV_QP_ACCESS_FLAGS : Ibv.IBV_QP_QKEY);
        int receive = reliable
                ? Ibv.IBV_QP_AV
                        | Ibv.IBV_QP_PATH_MTU
                        | Ibv.IBV_QP_DEST_QPN
                        | Ibv.IBV_QP_RQ_PSN
                        | Ibv.IBV_QP_MAX_DEST_RD_ATOMIC
                        | Ibv.IBV_QP_MIN_RNR_TIMER
                : 0;
        int send = reliable
                ? Ibv.IBV_QP_TIMEOUT
                        | Ibv.IBV_QP_RETRY_CNT
                        | Ibv.IBV_QP_RNR_RETRY
                        | Ibv.IBV_QP_SQ_PSN
                        | Ibv.IBV_QP_MAX_QP_RD_ATOMIC
                : Ibv.IBV_QP_SQ_PSN;
        return switch (from << 4 | to) {
            case Ibv.IBV_QPS_RESET << 4 | Ibv.IBV_QPS_INIT -> initial;
            case Ibv.IBV_QPS_INIT << 4 | Ibv.IBV_QPS_RTR -> receive;
            case Ibv.IBV_QPS_RTR << 4 | Ibv.IBV_QPS_RTS -> send;
            case Ibv.IBV_QPS_INIT << 4 | Ibv.IBV_QPS_INIT,
                    Ibv.IBV_QPS_RTS << 4 | Ibv.IBV_QPS_RTS,
                    Ibv.IBV_QPS_RTS << 4 | Ibv.IBV_QPS_SQD,
                    Ibv.IBV_QPS_SQD << 4 | Ibv.IBV_QPS_RTS,
                    Ibv.IBV_QPS_SQD << 4 | Ibv.IBV_QPS_SQD -> 0;
            case Ibv.IBV_QPS_SQE << 4 | Ibv.IBV_QPS_RTS -> reliable ? -1 : 0;
            default -> -1;
        };
    }

    private static int optional(boolean reliable, int from, int to) {
        if (to == Ibv.IBV_QPS_RESET || to == Ibv.IBV_QPS_ERR) {
            return 0;
        }
        if (from == Ibv.IBV_QPS_INIT && to == Ibv.IBV_QPS_INIT) {
            return Ibv.IBV_QP_PKEY_INDEX | Ibv.IBV_QP_PORT | Ibv.IBV_QP_ACCESS_FLAGS | Ibv.IBV_QP_QKEY;
        }
        if (from == Ibv.IBV_QPS_RESET) {
            return 0;
        }
        if (!reliable) {
            return Ibv.IBV_QP_QKEY
                    | (from == Ibv.IBV_QPS_INIT || from == Ibv.IBV_QPS_SQD ? Ibv.IBV_QP_PKEY_INDEX : 0)
                    | (to == Ibv.IBV_QPS_SQD ? Ibv.IBV_QP_EN_SQD_ASYNC_NOTIFY : 0);
        }
        int allowed = from == Ibv.IBV_QPS_INIT ? ALTERNATE | Ibv.IBV_QP_ACCESS_FLAGS | Ibv.IBV_QP_PKEY_INDEX : RUNNING;
        if (to == Ibv.IBV_QPS_SQD) {
            allowed |= Ibv.IBV_QP_EN_SQD_ASYNC_NOTIFY;
        }
        if (from == Ibv.IBV_QPS_SQD && to == Ibv.IBV_QPS_SQD) {
            allowed |= Ibv.IBV_QP_PORT
                    | Ibv.IBV_QP_AV
                    | Ibv.IBV_QP_TIMEOUT
                    | Ibv.IBV_QP_RETRY_CNT
                    | Ibv.IBV_QP_RNR_RETRY
                    | Ibv.IBV_QP_MAX_QP_RD_ATOMIC
                    | Ibv.IBV_QP_MAX_DEST_RD_ATOMIC
                    | Ibv.IBV_QP_PKEY_INDEX;
        }
        return allowed;
    }
}
