package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_qp_attr;

/**
 * What {@code ibv_modify_qp} sets. Written under the control lock and both
 * locks of the queue pair, read under either lock of the queue pair; all
 * fields are volatile because a requester also reads its peer's.
 */
final class QueuePairAttributes {
    private volatile int accessFlags;
    private volatile int qkey;
    private volatile int port;
    private volatile int pkeyIndex;
    private volatile AddressVector vector;
    private volatile int pathMtu;
    private volatile int destinationNumber;
    private volatile int receivePsn;
    private volatile int sendPsn;
    private volatile int maxReads;
    private volatile int maxReadsAnswered;
    private volatile int minNotReadyTimer;
    private volatile int timeout;
    private volatile int retryCount;
    private volatile int notReadyRetries;
    private volatile boolean drainedEvent;

    /** Checks the values that {@code mask} names, then sets them: all or none. */
    void modify(SoftDevice device, long at, int mask) {
        check(device, at, mask);
        AddressVector newVector =
                has(mask, Ibv.IBV_QP_AV) ? AddressVector.read(device, at + ibv_qp_attr.ah_attr$offset()) : vector;
        vector = newVector;
        accessFlags = pick(mask, Ibv.IBV_QP_ACCESS_FLAGS, at + ibv_qp_attr.qp_access_flags$offset(), accessFlags);
        qkey = pick(mask, Ibv.IBV_QP_QKEY, at + ibv_qp_attr.qkey$offset(), qkey);
        pathMtu = pick(mask, Ibv.IBV_QP_PATH_MTU, at + ibv_qp_attr.path_mtu$offset(), pathMtu);
        destinationNumber = pick(mask, Ibv.IBV_QP_DEST_QPN, at + ibv_qp_attr.dest_qp_num$offset(), destinationNumber);
        receivePsn = pick(mask, Ibv.IBV_QP_RQ_PSN, at + ibv_qp_attr.rq_psn$offset(), receivePsn);
        sendPsn = pick(mask, Ibv.IBV_QP_SQ_PSN, at + ibv_qp_attr.sq_psn$offset(), sendPsn);
        if (has(mask, Ibv.IBV_QP_PKEY_INDEX)) {
            pkeyIndex = Memory.getShort(at + ibv_qp_attr.pkey_index$offset());
        }
        port = pickByte(mask, Ibv.IBV_QP_PORT, at + ibv_qp_attr.port_num$offset(), port);
        maxReads = pickByte(mask, Ibv.IBV_QP_MAX_QP_RD_ATOMIC, at + ibv_qp_attr.max_rd_atomic$offset(), maxReads);
        maxReadsAnswered = pickByte(
                mask, Ibv.IBV_QP_MAX_DEST_RD_ATOMIC, at + ibv_qp_attr.max_dest_rd_atomic$offset(), maxReadsAnswered);
        minNotReadyTimer =
                pickByte(mask, Ibv.IBV_QP_MIN_RNR_TIMER, at + ibv_qp_attr.min_rnr_timer$offset(), minNotReadyTimer);
        timeout = pickByte(mask, Ibv.IBV_QP_TIMEOUT, at + ibv_qp_attr.timeout$offset(), timeout);
        retryCount = pickByte(mask, Ibv.IBV_QP_RETRY_CNT, at + ibv_qp_attr.retry_cnt$offset(), retryCount);
        notReadyRetries = pickByte(mask, Ibv.IBV_QP_RNR_RETRY, at + ibv_qp_attr.rnr_retry$offset(), notReadyRetries);
        drainedEvent = pickByte(
                        mask,
                        Ibv.IBV_QP_EN_SQD_ASYNC_NOTIFY,
                        at + ibv_qp_attr.en_sqd_async_notify$offset(),
                        drainedEvent ? 1 : 0)
                != 0;
    }

    private static void check(SoftDevice device, long at, int mask) {
        requireAtMost(mask, Ibv.IBV_QP_TIMEOUT, at + ibv_qp_attr.timeout$offset(), 31);
        requireAtMost(mask, Ibv.IBV_QP_RETRY_CNT, at + ibv_qp_attr.retry_cnt$offset(), 7);
        requireAtMost(mask, Ibv.IBV_QP_RNR_RETRY, at + ibv_qp_attr.rnr_retry$offset(), 7);
        requireAtMost(mask, Ibv.IBV_QP_MIN_RNR_TIMER, at + ibv_qp_attr.min_rnr_timer$offset(), 31);
        requireAtMost(mask, Ibv.IBV_QP_MAX_QP_RD_ATOMIC, at + ibv_qp_attr.max_rd_atomic$offset(), SoftDevice.MAX_READS);
        requireAtMost(
                mask,
                Ibv.IBV_QP_MAX_DEST_RD_ATOMIC,
                at + ibv_qp_attr.max_dest_rd_atomic$offset(),
                SoftDevice.MAX_READS);
        VerbError.require(!has(mask, Ibv.IBV_QP_PORT) || Memory.getByte(at + ibv_qp_attr.port_num$offset()) == 1);
        VerbError.require(!has(mask, Ibv.IBV_QP_PKEY_INDEX)
                || Memory.getShort(at + ibv_qp_attr.pkey_index$offset()) < SoftDevice.PKEY_TABLE_LENGTH);
        int mtu = Memory.getInt(at + ibv_qp_attr.path_mtu$offset());
        VerbError.require(!has(mask, Ibv.IBV_QP_PATH_MTU) || (mtu >= 1 && mtu <= device.activeMtu()));
        VerbError.require(
                !has(mask, Ibv.IBV_QP_DEST_QPN) || Memory.getInt(at + ibv_qp_attr.dest_qp_num$offset()) >>> 24 == 0);
        VerbError.require(!has(mask, Ibv.IBV_QP_ALT_PATH));
    }

    private static boolean has(int mask, int bit) {
        return (mask & bit) != 0;
    }

    private static void requireAtMost(int mask, int bit, long at, int limit) {
        VerbError.require(!has(mask, bit) || Byte.toUnsignedInt(Memory.getByte(at)) <= limit);
    }

    private static int pick(int mask, int bit, long at, int old) {
        return has(mask, bit) ? Memory.getInt(at) : old;
    }

    private static int pickByte(int mask, int bit, long at, int old) {
        return has(mask, bit) ? Byte.toUnsignedInt(Memory.getByte(at)) : old;
    }

    /** Writes all of it to an {@code ibv_qp_attr}, without the state and the capacities. */
    void write(long at) {
        Memory.putInt(at + ibv_qp_attr.path_mtu$offset(), pathMtu);
        Memory.putInt(at + ibv_qp_attr.path_mig_state$offset(), Ibv.IBV_MIG_MIGRATED);
        Memory.putInt(at + ibv_qp_attr.qkey$offset(), qkey);
        Memory.putInt(at + ibv_qp_attr.rq_psn$offset(), receivePsn);
        Memory.putInt(at + ibv_qp_attr.sq_psn$offset(), sendPsn);
        Memory.putInt(at + ibv_qp_attr.dest_qp_num$offset(), destinationNumber);
        Memory.putInt(at + ibv_qp_attr.qp_access_flags$offset(), accessFlags);
        Memory.putShort(at + ibv_qp_attr.pkey_index$offset(), pkeyIndex);
        Memory.putByte(at + ibv_qp_attr.en_sqd_async_notify$offset(), drainedEvent ? 1 : 0);
        Memory.putByte(at + ibv_qp_attr.max_rd_atomic$offset(), maxReads);
        Memory.putByte(at + ibv_qp_attr.max_dest_rd_atomic$offset(), maxReadsAnswered);
        Memory.putByte(at + ibv_qp_attr.min_rnr_timer$offset(), minNotReadyTimer);
        Memory.putByte(at + ibv_qp_attr.port_num$offset(), port);
        Memory.putByte(at + ibv_qp_attr.timeout$offset(), timeout);
        Memory.putByte(at + ibv_qp_attr.retry_cnt$offset(), retryCount);
        Memory.putByte(at + ibv_qp_attr.rnr_retry$offset(), notReadyRetries);
        if (vector != null) {
            vector.write(at + ibv_qp_attr.ah_attr$offset());
        }
    }

    int accessFlags() {
        return accessFlags;
    }

    int qkey() {
        return qkey;
    }

    /** The IPv4 address of the other end, 0 where none is set. */
    int peerAddress() {
        AddressVector path = vector;
        return path == null ? 0 : path.destination().ipv4();
    }

    int pathMtu() {
        return pathMtu;
    }

    int receivePsn() {
        return receivePsn;
    }

    int sendPsn() {
        return sendPsn;
    }

    /** The device at the other end, or null where none has that address. */
    SoftDevice target() {
        AddressVector path = vector;
        return path == null ? null : path.target();
    }

    int destinationNumber() {
        return destinationNumber;
    }

    int maxReads() {
        return maxReads;
    }

    int maxReadsAnswered() {
        return maxReadsAnswered;
    }

    int minNotReadyTimer() {
        return minNotReadyTimer;
    }

    int timeout() {
        return timeout;
    }

    int retryCount() {
        return retryCount;
    }

    int notReadyRetries() {
        return notReadyRetries;
    }

    boolean wantsDrainedEvent() {
        return drainedEvent;
    }
}
