package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.verbs_h;
import java.util.ArrayList;
import java.util.List;

/**
 * The transitions of a queue pair and the attributes each needs and allows (InfiniBand Architecture
 * Specification 1, §10.3 and §11.2.5.2; {@code man ibv_modify_qp}). Drivers differ in what they let
 * pass: rxe accepts attributes it should not, and a failed call reports only {@code EINVAL}.
 */
final class QpTransitions {
    private static final int PKEY_INDEX = verbs_h.IBV_QP_PKEY_INDEX();
    private static final int PORT = verbs_h.IBV_QP_PORT();
    private static final int QKEY = verbs_h.IBV_QP_QKEY();
    private static final int ACCESS = verbs_h.IBV_QP_ACCESS_FLAGS();
    private static final int AV = verbs_h.IBV_QP_AV();
    private static final int PATH_MTU = verbs_h.IBV_QP_PATH_MTU();
    private static final int DEST_QPN = verbs_h.IBV_QP_DEST_QPN();
    private static final int RQ_PSN = verbs_h.IBV_QP_RQ_PSN();
    private static final int SQ_PSN = verbs_h.IBV_QP_SQ_PSN();
    private static final int MAX_DEST_RD_ATOMIC = verbs_h.IBV_QP_MAX_DEST_RD_ATOMIC();
    private static final int MAX_QP_RD_ATOMIC = verbs_h.IBV_QP_MAX_QP_RD_ATOMIC();
    private static final int MIN_RNR_TIMER = verbs_h.IBV_QP_MIN_RNR_TIMER();
    private static final int TIMEOUT = verbs_h.IBV_QP_TIMEOUT();
    private static final int RETRY_CNT = verbs_h.IBV_QP_RETRY_CNT();
    private static final int RNR_RETRY = verbs_h.IBV_QP_RNR_RETRY();

    private record Named(int bit, String name) {}

    private static final List<Named> NAMES = List.of(
            new Named(PKEY_INDEX, "pkeyIndex"),
            new Named(PORT, "port"),
            new Named(QKEY, "qkey"),
            new Named(ACCESS, "access"),
            new Named(AV, "path"),
            new Named(PATH_MTU, "mtu"),
            new Named(DEST_QPN, "destination"),
            new Named(RQ_PSN, "receivePsn"),
            new Named(SQ_PSN, "sendPsn"),
            new Named(MAX_DEST_RD_ATOMIC, "maxReadAtomicAsTarget"),
            new Named(MAX_QP_RD_ATOMIC, "maxReadAtomic"),
            new Named(MIN_RNR_TIMER, "minRnrTimer"),
            new Named(TIMEOUT, "timeout"),
            new Named(RETRY_CNT, "retryCount"),
            new Named(RNR_RETRY, "rnrRetry"));

    /** The attributes of one transition; {@code allowed} includes {@code required}. */
    private record Masks(int required, int allowed) {
        static Masks of(int required, int optional) {
            return new Masks(required, required | optional);
        }
    }

    private QpTransitions() {}

    /** Throws what the driver should, with the names of what is missing or too much. */
    static void check(QpType type, QpState from, QpAttributes attributes) {
        QpState to = attributes.state();
        Masks masks = masks(type, from, to);
        if (masks == null) {
            throw new VerbsException(
                    "ibv_modify_qp",
                    verbs_h.EINVAL(),
                    "a " + type + " queue pair cannot change from " + from + " to " + to);
        }
        int given = attributes.mask() & ~verbs_h.IBV_QP_STATE();
        int missing = masks.required & ~given;
        int extra = given & ~masks.allowed;
        if (missing != 0 || extra != 0) {
            throw new VerbsException(
                    "ibv_modify_qp",
                    verbs_h.EINVAL(),
                    type + " from " + from + " to " + to + ": "
                            + (missing == 0 ? "" : "missing " + names(missing))
                            + (missing == 0 || extra == 0 ? "" : ", ")
                            + (extra == 0 ? "" : "not allowed " + names(extra)));
        }
    }

    private static Masks masks(QpType type, QpState from, QpState to) {
        boolean rc = type == QpType.RC;
        boolean ud = type == QpType.UD;
        if (to == QpState.RESET || to == QpState.ERR) {
            return new Masks(0, 0);
        }
        return switch (from) {
            case RESET -> to == QpState.INIT ? Masks.of(initial(ud), 0) : null;
            case INIT ->
                switch (to) {
                    case INIT -> Masks.of(0, initial(ud));
                    case RTR -> readyToReceive(rc, ud);
                    default -> null;
                };
            case RTR -> to == QpState.RTS ? readyToSend(rc, ud) : null;
            case RTS ->
                switch (to) {
                    case RTS -> Masks.of(0, running(rc, ud));
                    case SQD -> Masks.of(0, 0);
                    default -> null;
                };
            case SQD -> to == QpState.RTS ? Masks.of(0, running(rc, ud)) : null;
            case SQE -> to == QpState.RTS && !rc ? Masks.of(0, running(false, ud)) : null;
            case ERR, UNKNOWN -> null;
        };
    }

    private static int initial(boolean ud) {
        return PKEY_INDEX | PORT | (ud ? QKEY : ACCESS);
    }

    private static Masks readyToReceive(boolean rc, boolean ud) {
        if (ud) {
            return Masks.of(0, PKEY_INDEX | QKEY);
        }
        int connected = AV | PATH_MTU | DEST_QPN | RQ_PSN;
        return Masks.of(rc ? connected | MAX_DEST_RD_ATOMIC | MIN_RNR_TIMER : connected, ACCESS | PKEY_INDEX);
    }

    private static Masks readyToSend(boolean rc, boolean ud) {
        return Masks.of(rc ? SQ_PSN | TIMEOUT | RETRY_CNT | RNR_RETRY | MAX_QP_RD_ATOMIC : SQ_PSN, running(rc, ud));
    }

    private static int running(boolean rc, boolean ud) {
        return ud ? QKEY : rc ? ACCESS | MIN_RNR_TIMER : ACCESS;
    }

    private static List<String> names(int mask) {
        List<String> names = new ArrayList<>();
        for (Named named : NAMES) {
            if ((mask & named.bit) != 0) {
                names.add(named.name);
            }
        }
        return names;
    }
}
