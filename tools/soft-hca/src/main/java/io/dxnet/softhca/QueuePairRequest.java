package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_qp_cap;
import io.dxnet.ibverbs.raw.ibv_qp_init_attr;

/** What {@code ibv_create_qp} is asked for, checked against the device's limits. */
record QueuePairRequest(
        int type,
        boolean signalsAll,
        long qpContext,
        int maxSendWr,
        int maxRecvWr,
        int maxSendSge,
        int maxRecvSge,
        int maxInline) {

    private static final long CAP = ibv_qp_init_attr.cap$offset();

    static QueuePairRequest read(long at) {
        int type = Memory.getInt(at + ibv_qp_init_attr.qp_type$offset());
        if (type != Ibv.IBV_QPT_RC && type != Ibv.IBV_QPT_UD) {
            throw new VerbError(Ibv.EOPNOTSUPP);
        }
        boolean shared = Memory.getLong(at + ibv_qp_init_attr.srq$offset()) != 0;
        return new QueuePairRequest(
                type,
                Memory.getInt(at + ibv_qp_init_attr.sq_sig_all$offset()) != 0,
                Memory.getLong(at + ibv_qp_init_attr.qp_context$offset()),
                limited(at + CAP + ibv_qp_cap.max_send_wr$offset(), SoftDevice.MAX_QUEUE_WRS),
                shared ? 0 : limited(at + CAP + ibv_qp_cap.max_recv_wr$offset(), SoftDevice.MAX_QUEUE_WRS),
                limited(at + CAP + ibv_qp_cap.max_send_sge$offset(), SoftDevice.MAX_SGE),
                shared ? 0 : limited(at + CAP + ibv_qp_cap.max_recv_sge$offset(), SoftDevice.MAX_SGE),
                limited(at + CAP + ibv_qp_cap.max_inline_data$offset(), SoftDevice.MAX_INLINE));
    }

    private static int limited(long at, int limit) {
        int value = Memory.getInt(at);
        VerbError.require(value >= 0 && value <= limit);
        return value;
    }

    /** Writes what a queue pair really has to an {@code ibv_qp_cap}. */
    static void writeCapacities(SoftQueuePair qp, long cap) {
        boolean shared = qp.srq() != null;
        Memory.putInt(cap + ibv_qp_cap.max_send_wr$offset(), qp.sends().capacity());
        Memory.putInt(
                cap + ibv_qp_cap.max_recv_wr$offset(),
                shared ? 0 : qp.receives().capacity());
        Memory.putInt(cap + ibv_qp_cap.max_send_sge$offset(), qp.sends().maxSge());
        Memory.putInt(
                cap + ibv_qp_cap.max_recv_sge$offset(),
                shared ? 0 : qp.receives().maxSge());
        Memory.putInt(cap + ibv_qp_cap.max_inline_data$offset(), qp.sends().maxInline());
    }
}
