package io.dxnet.ibverbs;

import io.dxnet.ibverbs.raw.ibv_qp_cap;

/**
 * A queue pair's sizes ({@code struct ibv_qp_cap}).
 *
 * @param maxSendRequests the requests its send queue holds
 * @param maxReceiveRequests the receives its own queue holds; 0 with a shared receive queue
 * @param maxSendSge the elements of one request
 * @param maxReceiveSge the elements of one receive
 * @param maxInline the bytes of inline data of one request
 */
public record QpCapabilities(
        int maxSendRequests, int maxReceiveRequests, int maxSendSge, int maxReceiveSge, int maxInline) {
    static QpCapabilities read(long at) {
        return new QpCapabilities(
                Memory.getInt(at + ibv_qp_cap.max_send_wr$offset()),
                Memory.getInt(at + ibv_qp_cap.max_recv_wr$offset()),
                Memory.getInt(at + ibv_qp_cap.max_send_sge$offset()),
                Memory.getInt(at + ibv_qp_cap.max_recv_sge$offset()),
                Memory.getInt(at + ibv_qp_cap.max_inline_data$offset()));
    }

    void write(long at) {
        Memory.putInt(at + ibv_qp_cap.max_send_wr$offset(), maxSendRequests);
        Memory.putInt(at + ibv_qp_cap.max_recv_wr$offset(), maxReceiveRequests);
        Memory.putInt(at + ibv_qp_cap.max_send_sge$offset(), maxSendSge);
        Memory.putInt(at + ibv_qp_cap.max_recv_sge$offset(), maxReceiveSge);
        Memory.putInt(at + ibv_qp_cap.max_inline_data$offset(), maxInline);
    }
}
