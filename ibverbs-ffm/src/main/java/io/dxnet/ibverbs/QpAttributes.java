package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_qp_attr;
import io.dxnet.ibverbs.raw.verbs_h;
import java.util.Objects;

/**
 * What {@link QueuePair#modify} changes ({@code struct ibv_qp_attr} with its mask;
 * {@code man ibv_modify_qp}): each method sets one attribute and its bit. Not thread-safe.
 */
public final class QpAttributes {
    private static final int PSN_BITS = 0xff_ffff;

    private int mask;
    private QpState state;
    private int pkeyIndex;
    private int port;
    private int accessFlags;
    private int qkey;
    private AddressVector path;
    private Mtu mtu;
    private int destinationQpNumber;
    private int receivePsn;
    private int sendPsn;
    private int maxReadAtomicAsTarget;
    private int maxReadAtomic;
    private int minRnrTimer;
    private int timeout;
    private int retryCount;
    private int rnrRetry;

    private QpAttributes() {}

    /**
     * Starts with the target state.
     *
     * @param state the state
     * @return the attributes
     */
    public static QpAttributes to(QpState state) {
        QpAttributes attributes = new QpAttributes();
        attributes.state = Objects.requireNonNull(state);
        attributes.mask = verbs_h.IBV_QP_STATE();
        return attributes;
    }

    /**
     * Sets the partition.
     *
     * @param index the key's place in the port's partition table
     * @return this
     */
    public QpAttributes pkeyIndex(int index) {
        pkeyIndex = index;
        return set(verbs_h.IBV_QP_PKEY_INDEX());
    }

    /**
     * Sets the port.
     *
     * @param newPort the port, from 1
     * @return this
     */
    public QpAttributes port(int newPort) {
        port = Objects.checkIndex(newPort, 256);
        return set(verbs_h.IBV_QP_PORT());
    }

    /**
     * Sets what remote peers may do.
     *
     * @param access remote accesses; none is allowed
     * @return this
     */
    public QpAttributes access(Access... access) {
        accessFlags = Access.flags(access);
        return set(verbs_h.IBV_QP_ACCESS_FLAGS());
    }

    /**
     * Sets the key that datagrams must carry.
     *
     * @param key the key
     * @return this
     */
    public QpAttributes qkey(int key) {
        qkey = key;
        return set(verbs_h.IBV_QP_QKEY());
    }

    /**
     * Sets the way to the other side.
     *
     * @param to the remote port
     * @return this
     */
    public QpAttributes path(AddressVector to) {
        path = Objects.requireNonNull(to);
        return set(verbs_h.IBV_QP_AV());
    }

    /**
     * Sets the packet size; both sides must use the same, and nothing checks it.
     *
     * @param pathMtu the packet size
     * @return this
     */
    public QpAttributes mtu(Mtu pathMtu) {
        mtu = Objects.requireNonNull(pathMtu);
        return set(verbs_h.IBV_QP_PATH_MTU());
    }

    /**
     * Sets the queue pair at the other side.
     *
     * @param qpNumber its number
     * @return this
     */
    public QpAttributes destination(int qpNumber) {
        destinationQpNumber = qpNumber;
        return set(verbs_h.IBV_QP_DEST_QPN());
    }

    /**
     * Sets the first packet number that is expected.
     *
     * @param psn 24 bits
     * @return this
     */
    public QpAttributes receivePsn(int psn) {
        receivePsn = psn & PSN_BITS;
        return set(verbs_h.IBV_QP_RQ_PSN());
    }

    /**
     * Sets the first packet number that is sent.
     *
     * @param psn 24 bits
     * @return this
     */
    public QpAttributes sendPsn(int psn) {
        sendPsn = psn & PSN_BITS;
        return set(verbs_h.IBV_QP_SQ_PSN());
    }

    /**
     * Sets how many reads and atomics of the other side may be under way.
     *
     * @param count at most {@link DeviceAttributes#maxReadAtomic()}
     * @return this
     */
    public QpAttributes maxReadAtomicAsTarget(int count) {
        maxReadAtomicAsTarget = Objects.checkIndex(count, 256);
        return set(verbs_h.IBV_QP_MAX_DEST_RD_ATOMIC());
    }

    /**
     * Sets how many own reads and atomics may be under way.
     *
     * @param count at most what the other side set as target
     * @return this
     */
    public QpAttributes maxReadAtomic(int count) {
        maxReadAtomic = Objects.checkIndex(count, 256);
        return set(verbs_h.IBV_QP_MAX_QP_RD_ATOMIC());
    }

    /**
     * Sets how long the other side waits after finding no receive here.
     *
     * @param code 0 (655 ms) or 1 (0.01 ms) to 31 (492 ms), not linear; 12 is 0.64 ms
     * @return this
     */
    public QpAttributes minRnrTimer(int code) {
        minRnrTimer = Objects.checkIndex(code, 32);
        return set(verbs_h.IBV_QP_MIN_RNR_TIMER());
    }

    /**
     * Sets the longest wait for an answer.
     *
     * @param code 4.096 µs · 2^code; 14 is 67 ms; 0 is for ever
     * @return this
     */
    public QpAttributes timeout(int code) {
        timeout = Objects.checkIndex(code, 32);
        return set(verbs_h.IBV_QP_TIMEOUT());
    }

    /**
     * Sets how often a packet without answer is sent again.
     *
     * @param count 0 to 7; rxe takes 7 for "for ever", and a dead peer is then never noticed
     * @return this
     */
    public QpAttributes retryCount(int count) {
        retryCount = Objects.checkIndex(count, 8);
        return set(verbs_h.IBV_QP_RETRY_CNT());
    }

    /**
     * Sets how often a send that found no receive is tried again.
     *
     * @param count 0 to 6; 7 is for ever
     * @return this
     */
    public QpAttributes rnrRetry(int count) {
        rnrRetry = Objects.checkIndex(count, 8);
        return set(verbs_h.IBV_QP_RNR_RETRY());
    }

    private QpAttributes set(int bit) {
        mask |= bit;
        return this;
    }

    int mask() {
        return mask;
    }

    QpState state() {
        return state;
    }

    /** Fills a zeroed {@code ibv_qp_attr}. */
    void write(long at) {
        Memory.putInt(at + ibv_qp_attr.qp_state$offset(), state.code());
        Memory.putShort(at + ibv_qp_attr.pkey_index$offset(), pkeyIndex);
        Memory.putByte(at + ibv_qp_attr.port_num$offset(), port);
        Memory.putInt(at + ibv_qp_attr.qp_access_flags$offset(), accessFlags);
        Memory.putInt(at + ibv_qp_attr.qkey$offset(), qkey);
        if (path != null) {
            path.write(at + ibv_qp_attr.ah_attr$offset());
        }
        Memory.putInt(at + ibv_qp_attr.path_mtu$offset(), mtu == null ? 0 : mtu.code());
        Memory.putInt(at + ibv_qp_attr.dest_qp_num$offset(), destinationQpNumber);
        Memory.putInt(at + ibv_qp_attr.rq_psn$offset(), receivePsn);
        Memory.putInt(at + ibv_qp_attr.sq_psn$offset(), sendPsn);
        Memory.putByte(at + ibv_qp_attr.max_dest_rd_atomic$offset(), maxReadAtomicAsTarget);
        Memory.putByte(at + ibv_qp_attr.max_rd_atomic$offset(), maxReadAtomic);
        Memory.putByte(at + ibv_qp_attr.min_rnr_timer$offset(), minRnrTimer);
        Memory.putByte(at + ibv_qp_attr.timeout$offset(), timeout);
        Memory.putByte(at + ibv_qp_attr.retry_cnt$offset(), retryCount);
        Memory.putByte(at + ibv_qp_attr.rnr_retry$offset(), rnrRetry);
    }
}
