package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_cq_ex;

/**
 * The functions of {@code ibv_cq_ex} that read one completion after the other. Between
 * {@code start_poll} and {@code end_poll} a queue belongs to one thread, as the verbs demand.
 */
final class ExtendedPollVerbs {
    private ExtendedPollVerbs() {}

    /**
     * Fills the function pointers of the structure at
     * {@code at}; what this device does not have stays null.
     */
    static void writeOperations(long at) {
        Memory.putLong(at + ibv_cq_ex.start_poll$offset(), Upcalls.stub("start_poll"));
        Memory.putLong(at + ibv_cq_ex.next_poll$offset(), Upcalls.stub("next_poll"));
        Memory.putLong(at + ibv_cq_ex.end_poll$offset(), Upcalls.stub("end_poll"));
        Memory.putLong(at + ibv_cq_ex.read_opcode$offset(), Upcalls.stub("read_opcode"));
        Memory.putLong(at + ibv_cq_ex.read_vendor_err$offset(), Upcalls.stub("read_vendor_err"));
        Memory.putLong(at + ibv_cq_ex.read_byte_len$offset(), Upcalls.stub("read_byte_len"));
        Memory.putLong(at + ibv_cq_ex.read_imm_data$offset(), Upcalls.stub("read_imm_data"));
        Memory.putLong(at + ibv_cq_ex.read_qp_num$offset(), Upcalls.stub("read_qp_num"));
        Memory.putLong(at + ibv_cq_ex.read_src_qp$offset(), Upcalls.stub("read_src_qp"));
        Memory.putLong(at + ibv_cq_ex.read_wc_flags$offset(), Upcalls.stub("read_wc_flags"));
        Memory.putLong(at + ibv_cq_ex.read_slid$offset(), Upcalls.stub("read_slid"));
        Memory.putLong(at + ibv_cq_ex.read_sl$offset(), Upcalls.stub("read_zero_byte"));
        Memory.putLong(at + ibv_cq_ex.read_dlid_path_bits$offset(), Upcalls.stub("read_zero_byte"));
    }

    static int start_poll(long cq, long attr) {
        VerbError.require(Memory.getInt(attr) == 0);
        return next_poll(cq);
    }

    static int next_poll(long cq) {
        long current = current(cq);
        if (VerbError.live(Fabric.COMPLETION_QUEUES.at(cq)).poll(1, current) == 0) {
            return Ibv.ENOENT;
        }
        Memory.putLong(cq + ibv_cq_ex.wr_id$offset(), Memory.getLong(current + Offsets.WC_WR_ID));
        Memory.putInt(cq + ibv_cq_ex.status$offset(), Memory.getInt(current + Offsets.WC_STATUS));
        return 0;
    }

    static void end_poll(long cq) {}

    /**
     * The address of the completion being read, which lies
     * behind the structure in the same slot of the table.
     */
    private static long current(long cq) {
        return VerbError.live(Fabric.COMPLETION_QUEUES.at(cq)).address() + SoftCompletionQueue.CURRENT;
    }

    static int read_opcode(long cq) {
        return Memory.getInt(current(cq) + Offsets.WC_OPCODE);
    }

    static int read_vendor_err(long cq) {
        return Memory.getInt(current(cq) + Offsets.WC_VENDOR_ERR);
    }

    static int read_byte_len(long cq) {
        return Memory.getInt(current(cq) + Offsets.WC_BYTE_LEN);
    }

    static int read_imm_data(long cq) {
        return Memory.getInt(current(cq) + Offsets.WC_IMM);
    }

    static int read_qp_num(long cq) {
        return Memory.getInt(current(cq) + Offsets.WC_QP_NUM);
    }

    static int read_src_qp(long cq) {
        return Memory.getInt(current(cq) + Offsets.WC_SRC_QP);
    }

    static int read_wc_flags(long cq) {
        return Memory.getInt(current(cq) + Offsets.WC_FLAGS);
    }

    static int read_slid(long cq) {
        return Short.toUnsignedInt(Memory.getShort(current(cq) + Offsets.WC_SLID));
    }

    static int read_zero_byte(long cq) {
        return 0;
    }
}
