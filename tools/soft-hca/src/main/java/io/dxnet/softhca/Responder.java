package io.dxnet.softhca;

/**
 * The half of a queue pair that answers requests. All methods run on the requester's thread under
 * this queue pair's responder lock, which the requester has acquired.
 */
final class Responder {
    private static final int GRH_BYTES = 40;

    private final SoftQueuePair qp;
    private final Receive receive = new Receive();
    private final Segments target = new Segments();
    private final SpinLock lock = new SpinLock();

    /** A datagram's prefix while it is being delivered. */
    private long grh;

    private boolean established;

    Responder(SoftQueuePair qp) {
        this.qp = qp;
    }

    SpinLock lock() {
        return lock;
    }

    /**
     * Delivers a send.
     *
     * @return a status for the requester, or {@link Outcome#NOT_READY}
     */
    int receive(SoftQueuePair requester, Segments data, boolean hasImm, int imm, boolean solicited) {
        if (!take(requester)) {
            return Outcome.NOT_READY;
        }
        int outcome = scatter(data);
        if (outcome == Ibv.IBV_WC_SUCCESS) {
            complete(Ibv.IBV_WC_RECV, data.total(), hasImm, imm, solicited);
        }
        return outcome;
    }

    private boolean take(SoftQueuePair requester) {
        if (!qp.receives().take(receive, requester)) {
            return false;
        }
        if (receive.testLimitReached()) {
            qp.context.raise(qp.srq(), Ibv.IBV_EVENT_SRQ_LIMIT_REACHED);
        }
        return true;
    }

    private int scatter(Segments data) {
        long length = data.total();
        boolean keysFit =
                target.load(receive.room(), receive.sgeCount(), qp.base(), Ibv.IBV_ACCESS_LOCAL_WRITE, length);
        if (!keysFit) {
            return failReceive(Ibv.IBV_WC_LOC_PROT_ERR, Ibv.IBV_WC_REM_OP_ERR);
        }
        if (target.total() < length) {
            return failReceive(Ibv.IBV_WC_LOC_LEN_ERR, Ibv.IBV_WC_REM_INV_REQ_ERR);
        }
        if (length != 0) {
            data.copyTo(target);
        }
        return Ibv.IBV_WC_SUCCESS;
    }

    private int failReceive(int status, int remoteStatus) {
        qp.recvCq().addFailed(receive.wrId(), status, Outcome.VENDOR_RECEIVE, qp.number(), SoftCompletionQueue.NO_SEND);
        qp.failWithLock();
        return remoteStatus;
    }

    private void complete(int opcode, long length, boolean hasImm, int imm, boolean solicited) {
        int flags = hasImm ? Ibv.IBV_WC_WITH_IMM : 0;
        establish();
        qp.recvCq()
                .addReceived(
                        receive.wrId(), opcode, (int) length, hasImm ? imm : 0, qp.number(), 0, flags, 0, solicited);
    }

    /** The first message of a connection whose own side is not ready to send yet is an event. */
    private void establish() {
        if (!established) {
            established = true;
            if (qp.state() == Ibv.IBV_QPS_RTR) {
                qp.context.raise(qp, Ibv.IBV_EVENT_COMM_EST);
            }
        }
    }

    /** Executes an RDMA write; one with immediate data also consumes a receive. */
    int write(
            SoftQueuePair requester,
            Segments data,
            int rkey,
            long address,
            boolean hasImm,
            int imm,
            boolean solicited) {
        long start = 0;
        if ((qp.remoteAccess() & Ibv.IBV_ACCESS_REMOTE_WRITE) == 0) {
            return refuse(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_EVENT_QP_REQ_ERR);
        }
        if (data.total() != 0) {
            start = SoftMemoryRegion.resolve(rkey, address, data.total(), qp.base(), Ibv.IBV_ACCESS_REMOTE_WRITE);
        }
        if (start == SoftMemoryRegion.NO_ACCESS) {
            return refuse(Ibv.IBV_WC_REM_ACCESS_ERR, Ibv.IBV_EVENT_QP_ACCESS_ERR);
        }
        if (hasImm && !take(requester)) {
            return Outcome.NOT_READY;
        }
        if (data.total() != 0) {
            target.clear();
            target.add(start, data.total());
            data.copyTo(target);
        }
        if (hasImm) {
            complete(Ibv.IBV_WC_RECV_RDMA_WITH_IMM, data.total(), true, imm, solicited);
        }
        return Ibv.IBV_WC_SUCCESS;
    }

    /** Executes an RDMA read into {@code into}. */
    int read(Segments into, int rkey, long address) {
        if ((qp.remoteAccess() & Ibv.IBV_ACCESS_REMOTE_READ) == 0 || qp.maxReadsAnswered() == 0) {
            return refuse(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_EVENT_QP_REQ_ERR);
        }
        long bytes = into.total();
        if (bytes != 0) {
            long start = SoftMemoryRegion.resolve(rkey, address, bytes, qp.base(), Ibv.IBV_ACCESS_REMOTE_READ);
            if (start == SoftMemoryRegion.NO_ACCESS) {
                return refuse(Ibv.IBV_WC_REM_ACCESS_ERR, Ibv.IBV_EVENT_QP_ACCESS_ERR);
            }
            target.clear();
            target.add(start, bytes);
            target.copyTo(into);
        }
        return Ibv.IBV_WC_SUCCESS;
    }

    /**
     * Executes an atomic operation; what was there before is stored to {@code result}.
     *
     * @param wr the {@code ibv_send_wr}
     */
    int atomic(long wr, boolean swap, Segments result, long scratch) {
        long address = Memory.getLong(wr + Offsets.ATOMIC_REMOTE_ADDR);
        boolean allowed = (qp.remoteAccess() & Ibv.IBV_ACCESS_REMOTE_ATOMIC) != 0 && qp.maxReadsAnswered() != 0;
        if (!allowed || (address & 7) != 0) {
            return refuse(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_EVENT_QP_REQ_ERR);
        }
        int rkey = Memory.getInt(wr + Offsets.ATOMIC_RKEY);
        long start = SoftMemoryRegion.resolve(rkey, address, 8, qp.base(), Ibv.IBV_ACCESS_REMOTE_ATOMIC);
        if (start == SoftMemoryRegion.NO_ACCESS || (start & 7) != 0) {
            return refuse(Ibv.IBV_WC_REM_ACCESS_ERR, Ibv.IBV_EVENT_QP_ACCESS_ERR);
        }
        long operand = Memory.getLong(wr + Offsets.ATOMIC_COMPARE_ADD);
        long before = swap
                ? Memory.compareAndSwap(start, operand, Memory.getLong(wr + Offsets.ATOMIC_SWAP))
                : Memory.fetchAndAdd(start, operand);
        Memory.putLong(scratch, before);
        target.clear();
        target.add(scratch, 8);
        target.copyTo(result);
        return Ibv.IBV_WC_SUCCESS;
    }

    private int refuse(int remoteStatus, int event) {
        qp.failWithLock();
        qp.context.raise(qp, event);
        return remoteStatus;
    }

    /**
     * Delivers a datagram, or drops it where no receive is posted.
     *
     * @param data begins with {@link #grh}
     */
    void receiveDatagram(
            SoftQueuePair sender, Segments data, AddressVector path, boolean hasImm, int imm, boolean solicited) {
        if (!take(null)) {
            return;
        }
        if (scatter(data) == Ibv.IBV_WC_SUCCESS) {
            int flags = (hasImm ? Ibv.IBV_WC_WITH_IMM : 0) | (path.isGlobal() ? Ibv.IBV_WC_GRH : 0);
            qp.recvCq()
                    .addReceived(
                            receive.wrId(),
                            Ibv.IBV_WC_RECV,
                            (int) data.total(),
                            hasImm ? imm : 0,
                            qp.number(),
                            sender.number(),
                            flags,
                            sender.device().lid(),
                            solicited);
        }
    }

    /** Fills the 40 bytes that precede a datagram (the GRH) and adds them to {@code data}. */
    void addGrh(Segments data, AddressVector path, long payload) {
        if (grh == 0) {
            grh = LibC.calloc(GRH_BYTES);
        }
        Grh.write(grh, path, (int) payload);
        data.add(grh, GRH_BYTES);
    }

    /** Completes all receives of the queue pair's own queue as flushed. */
    void flush() {
        while (qp.receives().take(receive, null)) {
            qp.recvCq()
                    .addFailed(
                            receive.wrId(),
                            Ibv.IBV_WC_WR_FLUSH_ERR,
                            Outcome.VENDOR_FLUSHED,
                            qp.number(),
                            SoftCompletionQueue.NO_SEND);
        }
    }

    void reset() {
        established = false;
    }

    void release() {
        receive.release();
        if (grh != 0) {
            LibC.free(grh);
        }
    }
}
