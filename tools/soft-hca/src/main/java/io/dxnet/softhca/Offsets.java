package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_mw_bind_info;
import io.dxnet.ibverbs.raw.ibv_recv_wr;
import io.dxnet.ibverbs.raw.ibv_send_wr;
import io.dxnet.ibverbs.raw.ibv_sge;
import io.dxnet.ibverbs.raw.ibv_wc;

/** Offsets of the structures of the data path, from the generated layouts. */
final class Offsets {
    static final long SGE_SIZE = ibv_sge.layout().byteSize();
    static final long SGE_ADDR = ibv_sge.addr$offset();
    static final long SGE_LENGTH = ibv_sge.length$offset();
    static final long SGE_LKEY = ibv_sge.lkey$offset();

    static final long SEND_SIZE = ibv_send_wr.layout().byteSize();
    static final long SEND_WR_ID = ibv_send_wr.wr_id$offset();
    static final long SEND_NEXT = ibv_send_wr.next$offset();
    static final long SEND_SG_LIST = ibv_send_wr.sg_list$offset();
    static final long SEND_NUM_SGE = ibv_send_wr.num_sge$offset();
    static final long SEND_OPCODE = ibv_send_wr.opcode$offset();
    static final long SEND_FLAGS = ibv_send_wr.send_flags$offset();
    static final long SEND_IMM = ibv_send_wr.imm_data$offset();

    /**
     * The union {@code wr}; its members' offsets follow from the C
     * declaration and are checked by a test.
     */
    static final long SEND_WR = ibv_send_wr.wr$offset();

    static final long RDMA_REMOTE_ADDR = SEND_WR;
    static final long RDMA_RKEY = SEND_WR + 8;
    static final long ATOMIC_REMOTE_ADDR = SEND_WR;
    static final long ATOMIC_COMPARE_ADD = SEND_WR + 8;
    static final long ATOMIC_SWAP = SEND_WR + 16;
    static final long ATOMIC_RKEY = SEND_WR + 24;
    static final long UD_AH = SEND_WR;
    static final long UD_REMOTE_QPN = SEND_WR + 8;
    static final long UD_REMOTE_QKEY = SEND_WR + 12;

    static final long SEND_INVALIDATE_RKEY = ibv_send_wr.invalidate_rkey$offset();
    private static final long BIND = ibv_send_wr.bind_mw$offset();
    private static final long BIND_INFO = BIND + ibv_send_wr.bind_mw.bind_info$offset();
    static final long BIND_MW = BIND + ibv_send_wr.bind_mw.mw$offset();
    static final long BIND_RKEY = BIND + ibv_send_wr.bind_mw.rkey$offset();
    static final long BIND_MR = BIND_INFO + ibv_mw_bind_info.mr$offset();
    static final long BIND_ADDR = BIND_INFO + ibv_mw_bind_info.addr$offset();
    static final long BIND_LENGTH = BIND_INFO + ibv_mw_bind_info.length$offset();
    static final long BIND_ACCESS = BIND_INFO + ibv_mw_bind_info.mw_access_flags$offset();

    static final long RECV_WR_ID = ibv_recv_wr.wr_id$offset();
    static final long RECV_NEXT = ibv_recv_wr.next$offset();
    static final long RECV_SG_LIST = ibv_recv_wr.sg_list$offset();
    static final long RECV_NUM_SGE = ibv_recv_wr.num_sge$offset();

    static final long WC_SIZE = ibv_wc.layout().byteSize();
    static final long WC_WR_ID = ibv_wc.wr_id$offset();
    static final long WC_STATUS = ibv_wc.status$offset();
    static final long WC_OPCODE = ibv_wc.opcode$offset();
    static final long WC_VENDOR_ERR = ibv_wc.vendor_err$offset();
    static final long WC_BYTE_LEN = ibv_wc.byte_len$offset();
    static final long WC_IMM = ibv_wc.imm_data$offset();
    static final long WC_QP_NUM = ibv_wc.qp_num$offset();
    static final long WC_SRC_QP = ibv_wc.src_qp$offset();
    static final long WC_FLAGS = ibv_wc.wc_flags$offset();
    static final long WC_SLID = ibv_wc.slid$offset();

    private Offsets() {}
}
