package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_qp_attr;
import io.dxnet.ibverbs.raw.ibv_qp_init_attr;
import io.dxnet.ibverbs.raw.ibv_srq_attr;
import io.dxnet.ibverbs.raw.ibv_srq_init_attr;

/** Shared receive queues and queue pairs. */
final class QueueVerbs {
    private QueueVerbs() {}

    static long ibv_create_srq(long pd, long init) {
        try (var _ = Fabric.control()) {
            SoftProtectionDomain domain = VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd));
            domain.context.enter("ibv_create_srq");
            long attr = init + ibv_srq_init_attr.attr$offset();
            int maxWr = Memory.getInt(attr + ibv_srq_attr.max_wr$offset());
            int maxSge = Memory.getInt(attr + ibv_srq_attr.max_sge$offset());
            VerbError.require(maxWr > 0 && maxWr <= SoftDevice.MAX_QUEUE_WRS);
            VerbError.require(maxSge >= 0 && maxSge <= SoftDevice.MAX_SGE);
            long srqContext = Memory.getLong(init + ibv_srq_init_attr.srq_context$offset());
            SoftSharedReceiveQueue srq =
                    Fabric.SHARED_RECEIVE_QUEUES.add(new SoftSharedReceiveQueue(domain, srqContext, maxWr, maxSge));
            domain.addUser();
            Memory.putInt(attr + ibv_srq_attr.max_wr$offset(), srq.queue().capacity());
            return srq.address();
        }
    }

    static int ibv_modify_srq(long srq, long attr, int mask) {
        try (var _ = Fabric.control()) {
            SoftSharedReceiveQueue found = VerbError.live(Fabric.SHARED_RECEIVE_QUEUES.at(srq));
            found.context.enter("ibv_modify_srq");
            VerbError.require((mask & ~(Ibv.IBV_SRQ_MAX_WR | Ibv.IBV_SRQ_LIMIT)) == 0);
            if ((mask & Ibv.IBV_SRQ_MAX_WR) != 0) {
                int maxWr = Memory.getInt(attr + ibv_srq_attr.max_wr$offset());
                VerbError.require(maxWr > 0 && maxWr <= SoftDevice.MAX_QUEUE_WRS);
                found.queue().resize(maxWr);
            }
            if ((mask & Ibv.IBV_SRQ_LIMIT) != 0) {
                found.queue().arm(Memory.getInt(attr + ibv_srq_attr.srq_limit$offset()));
            }
            return 0;
        }
    }

    static int ibv_query_srq(long srq, long attr) {
        SoftSharedReceiveQueue found = VerbError.live(Fabric.SHARED_RECEIVE_QUEUES.at(srq));
        found.context.enter("ibv_query_srq");
        Memory.putInt(attr + ibv_srq_attr.max_wr$offset(), found.queue().capacity());
        Memory.putInt(attr + ibv_srq_attr.max_sge$offset(), found.queue().maxSge());
        Memory.putInt(attr + ibv_srq_attr.srq_limit$offset(), found.queue().limit());
        return 0;
    }

    static int ibv_destroy_srq(long srq) {
        SoftSharedReceiveQueue found = VerbError.live(Fabric.SHARED_RECEIVE_QUEUES.at(srq));
        found.requireUnused();
        found.context.asyncEvents().remove(event -> event.source() == found);
        found.awaitAcknowledgements(CompletionVerbs.ACKNOWLEDGE_LIMIT_NS);
        try (var _ = Fabric.control()) {
            VerbError.require(!found.isGone());
            found.requireUnused();
            destroy(found);
            return 0;
        }
    }

    static void destroy(SoftSharedReceiveQueue srq) {
        Fabric.SHARED_RECEIVE_QUEUES.remove(srq);
        srq.queue().close();
        srq.domain().removeUser();
        srq.context.asyncEvents().remove(event -> event.source() == srq);
    }

    static long ibv_create_qp(long pd, long init) {
        try (var _ = Fabric.control()) {
            SoftProtectionDomain domain = VerbError.live(Fabric.PROTECTION_DOMAINS.at(pd));
            domain.context.enter("ibv_create_qp");
            SoftCompletionQueue sendCq = completionQueue(domain, init + ibv_qp_init_attr.send_cq$offset());
            SoftCompletionQueue recvCq = completionQueue(domain, init + ibv_qp_init_attr.recv_cq$offset());
            long srqAddress = Memory.getLong(init + ibv_qp_init_attr.srq$offset());
            SoftSharedReceiveQueue srq =
                    srqAddress == 0 ? null : VerbError.live(Fabric.SHARED_RECEIVE_QUEUES.at(srqAddress));
            VerbError.require(srq == null || srq.domain().base() == domain.base());
            SoftQueuePair qp =
                    Fabric.QUEUE_PAIRS.add(new SoftQueuePair(domain, sendCq, recvCq, srq, QueuePairRequest.read(init)));
            domain.addUser();
            sendCq.addUser();
            recvCq.addUser();
            if (srq != null) {
                srq.addUser();
            }
            QueuePairRequest.writeCapacities(qp, init + ibv_qp_init_attr.cap$offset());
            return qp.address();
        }
    }

    private static SoftCompletionQueue completionQueue(SoftProtectionDomain domain, long at) {
        SoftCompletionQueue queue = VerbError.live(Fabric.COMPLETION_QUEUES.at(Memory.getLong(at)));
        VerbError.require(queue.context == domain.context);
        return queue;
    }

    static int ibv_modify_qp(long qp, long attr, int mask) {
        try (var _ = Fabric.control()) {
            SoftQueuePair pair = VerbError.live(Fabric.QUEUE_PAIRS.at(qp));
            pair.context.enter("ibv_modify_qp");
            int from = pair.state();
            int to = (mask & Ibv.IBV_QP_STATE) == 0 ? from : Memory.getInt(attr + ibv_qp_attr.qp_state$offset());
            boolean assumed = (mask & Ibv.IBV_QP_CUR_STATE) != 0;
            VerbError.require(!assumed || Memory.getInt(attr + ibv_qp_attr.cur_qp_state$offset()) == from);
            int attributes = mask & ~(Ibv.IBV_QP_STATE | Ibv.IBV_QP_CUR_STATE);
            VerbError.require(to >= Ibv.IBV_QPS_RESET && to <= Ibv.IBV_QPS_ERR);
            VerbError.require(QueuePairTransitions.isAllowed(pair.type(), from, to, attributes));
            pair.changeState(from, to, attr, attributes);
            return 0;
        }
    }

    static int ibv_query_qp(long qp, long attr, int mask, long init) {
        SoftQueuePair pair = VerbError.live(Fabric.QUEUE_PAIRS.at(qp));
        pair.context.enter("ibv_query_qp");
        Memory.clear(attr, ibv_qp_attr.layout().byteSize());
        Memory.clear(init, ibv_qp_init_attr.layout().byteSize());
        int state = pair.state();
        Memory.putInt(attr + ibv_qp_attr.qp_state$offset(), state);
        Memory.putInt(attr + ibv_qp_attr.cur_qp_state$offset(), state);
        pair.attributes().write(attr);
        QueuePairRequest.writeCapacities(pair, attr + ibv_qp_attr.cap$offset());
        Memory.putLong(init + ibv_qp_init_attr.qp_context$offset(), pair.qpContext());
        Memory.putLong(init + ibv_qp_init_attr.send_cq$offset(), pair.sendCq().address());
        Memory.putLong(init + ibv_qp_init_attr.recv_cq$offset(), pair.recvCq().address());
        Memory.putLong(
                init + ibv_qp_init_attr.srq$offset(),
                pair.srq() == null ? 0 : pair.srq().address());
        QueuePairRequest.writeCapacities(pair, init + ibv_qp_init_attr.cap$offset());
        Memory.putInt(init + ibv_qp_init_attr.qp_type$offset(), pair.type());
        Memory.putInt(init + ibv_qp_init_attr.sq_sig_all$offset(), pair.signalsAll() ? 1 : 0);
        return 0;
    }

    static int ibv_destroy_qp(long qp) {
        SoftQueuePair pair = VerbError.live(Fabric.QUEUE_PAIRS.at(qp));
        pair.context.asyncEvents().remove(event -> event.source() == pair);
        pair.awaitAcknowledgements(CompletionVerbs.ACKNOWLEDGE_LIMIT_NS);
        try (var _ = Fabric.control()) {
            VerbError.require(!pair.isGone());
            destroy(pair);
            return 0;
        }
    }

    /**
     * Completions that the queue pair left in its completion queues stay there; windows that it has
     * bound are not bound any more.
     */
    static void destroy(SoftQueuePair pair) {
        Fabric.QUEUE_PAIRS.remove(pair);
        pair.release();
        Fabric.MEMORY_WINDOWS.all(window -> window.boundBy() == pair).forEach(SoftMemoryWindow::unbind);
        pair.context.asyncEvents().remove(event -> event.source() == pair);
        pair.domain().removeUser();
        pair.sendCq().removeUser();
        pair.recvCq().removeUser();
        if (pair.srq() != null) {
            pair.srq().removeUser();
        }
    }
}
