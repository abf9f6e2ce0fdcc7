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

    /** What the last check of remote access led to: an address of this process. */
    private long resolved;

    /** What the last atomic operation found. */
    private long found;

    /** A datagram's prefix while it is being delivered. */
    private long grh;

    private boolean established;

    /** The receive was removed from its queue, and has no completion yet. */
    private boolean taken;

    Responder(SoftQueuePair qp) {
        this.qp = qp;
    }

    SpinLock lock() {
        return lock;
    }

    /**
     * Delivers a send.
     *
     * @param flags {@code IBV_WC_WITH_IMM} or {@code IBV_WC_WITH_INV}, or 0
     * @param extra the immediate data, or the key to invalidate
     * @return a status for the requester, or {@link Outcome#NOT_READY}
     */
    int receive(SoftQueuePair requester, Segments data, int flags, int extra, boolean solicited) {
        if (!take(requester)) {
            return Outcome.NOT_READY;
        }
        int outcome = scatter(data);
        return outcome == Ibv.IBV_WC_SUCCESS
                ? complete(Ibv.IBV_WC_RECV, data.total(), flags, extra, solicited)
                : outcome;
    }

    /**
     * Removes the oldest receive.
     *
     * @param requester waits for one if there is none; may be null
     */
    boolean take(SoftQueuePair requester) {
        if (taken) { // an error interrupted the first packet of its message, which came again
            target.clear();
            return true;
        }
        if (!qp.receives().take(receive, requester)) {
            return false;
        }
        taken = true;
        if (receive.testLimitReached()) {
            qp.context.raise(qp.srq(), Ibv.IBV_EVENT_SRQ_LIMIT_REACHED);
        }
        target.clear();
        return true;
    }

    private int scatter(Segments data) {
        long length = data.total();
        int outcome = open(length);
        if (outcome == Ibv.IBV_WC_SUCCESS && length != 0) {
            data.copyTo(target);
        }
        return outcome;
    }

    /** Copies a part of a message to the receive, which {@link #take} removed. */
    int scatterPart(long offset, long from, int bytes) {
        // Keys may have changed since the last part: then there is nothing in the list.
        int outcome = target.total() < offset + bytes ? open(offset + bytes) : Ibv.IBV_WC_SUCCESS;
        if (outcome == Ibv.IBV_WC_SUCCESS && bytes != 0) {
            target.fill(from, bytes, offset);
        }
        return outcome;
    }

    /** Checks the receive's keys for a message, or a part of one, that ends at {@code length}. */
    private int open(long length) {
        boolean keysFit =
                target.load(receive.room(), receive.sgeCount(), qp.base(), Ibv.IBV_ACCESS_LOCAL_WRITE, length);
        if (!keysFit) {
            return failReceive(Ibv.IBV_WC_LOC_PROT_ERR, Ibv.IBV_WC_REM_OP_ERR);
        }
        if (target.total() < length) {
            return failReceive(Ibv.IBV_WC_LOC_LEN_ERR, Ibv.IBV_WC_REM_INV_REQ_ERR);
        }
        return Ibv.IBV_WC_SUCCESS;
    }

    /** Keys may have changed: what was checked is checked again. */
    void invalidate() {
        target.clear();
    }

    private int failReceive(int status, int remoteStatus) {
        taken = false;
        qp.recvCq().addFailed(receive.wrId(), status, Outcome.VENDOR_RECEIVE, qp.number(), SoftCompletionQueue.NO_SEND);
        qp.failWithLock();
        return remoteStatus;
    }

    /**
     * Completes the receive whose data is there, and before that invalidates a window if that is
     * what the send demands.
     *
     * @param flags {@code IBV_WC_WITH_IMM} or {@code IBV_WC_WITH_INV}, or 0
     * @param extra the immediate data, or the key to invalidate
     * @return a status for the requester
     */
    int complete(int opcode, long length, int flags, int extra, boolean solicited) {
        establish();
        if (flags == Ibv.IBV_WC_WITH_INV && !SoftMemoryWindow.invalidate(extra, qp)) {
            return failReceive(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_WC_REM_ACCESS_ERR);
        }
        int reported = flags == 0 ? 0 : extra;
        taken = false;
        qp.recvCq().addReceived(receive.wrId(), opcode, (int) length, reported, qp.number(), 0, flags, 0, solicited);
        return Ibv.IBV_WC_SUCCESS;
    }

    /** The first message of a connection whose own side is not ready to send yet is an event. */
    void establish() {
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
        int allowed = checkWrite(rkey, address, data.total());
        if (allowed != Ibv.IBV_WC_SUCCESS) {
            return allowed;
        }
        if (hasImm && !take(requester)) {
            return Outcome.NOT_READY;
        }
        if (data.total() != 0) {
            target.clear();
            target.add(resolved, data.total());
            data.copyTo(target);
        }
        if (hasImm) {
            complete(Ibv.IBV_WC_RECV_RDMA_WITH_IMM, data.total(), Ibv.IBV_WC_WITH_IMM, imm, solicited);
        }
        return Ibv.IBV_WC_SUCCESS;
    }

    /** Checks whether bytes may be written; {@link #resolved} is where they are then. */
    int checkWrite(int rkey, long address, long bytes) {
        return check(Ibv.IBV_ACCESS_REMOTE_WRITE, true, rkey, address, bytes);
    }

    /** Checks whether bytes may be read; {@link #resolved} is where they are then. */
    int checkRead(int rkey, long address, long bytes) {
        return check(Ibv.IBV_ACCESS_REMOTE_READ, qp.maxReadsAnswered() != 0, rkey, address, bytes);
    }

    private int check(int access, boolean allowed, int rkey, long address, long bytes) {
        if ((qp.remoteAccess() & access) == 0 || !allowed) {
            return refuse(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_EVENT_QP_REQ_ERR);
        }
        resolved = bytes == 0 ? 0 : resolve(rkey, address, bytes, access);
        return resolved == SoftMemoryRegion.NO_ACCESS
                ? refuse(Ibv.IBV_WC_REM_ACCESS_ERR, Ibv.IBV_EVENT_QP_ACCESS_ERR)
                : Ibv.IBV_WC_SUCCESS;
    }

    private long resolve(int rkey, long address, long bytes, int access) {
        return SoftMemoryWindow.isKey(rkey)
                ? SoftMemoryWindow.resolve(rkey, address, bytes, qp, access)
                : SoftMemoryRegion.resolve(rkey, address, bytes, qp.base(), access);
    }

    /** The address that the last successful check led to. */
    long resolved() {
        return resolved;
    }

    /** Executes an RDMA read into {@code into}. */
    int read(Segments into, int rkey, long address) {
        long bytes = into.total();
        int outcome = checkRead(rkey, address, bytes);
        if (outcome == Ibv.IBV_WC_SUCCESS && bytes != 0) {
            target.clear();
            target.add(resolved, bytes);
            target.copyTo(into);
        }
        return outcome;
    }

    /**
     * Executes an atomic operation; what was there before is stored to {@code result}.
     *
     * @param wr the {@code ibv_send_wr}
     */
    int atomic(long wr, boolean swap, Segments result, long scratch) {
        long operand = Memory.getLong(wr + Offsets.ATOMIC_COMPARE_ADD);
        int outcome = atomic(
                swap,
                Memory.getLong(wr + Offsets.ATOMIC_REMOTE_ADDR),
                Memory.getInt(wr + Offsets.ATOMIC_RKEY),
                swap ? Memory.getLong(wr + Offsets.ATOMIC_SWAP) : operand,
                operand);
        if (outcome == Ibv.IBV_WC_SUCCESS) {
            Memory.putLong(scratch, found);
            target.clear();
            target.add(scratch, 8);
            target.copyTo(result);
        }
        return outcome;
    }

    /** Executes an atomic operation; {@link #found} is what was there before. */
    int atomic(boolean swap, long address, int rkey, long swapOrAdd, long compare) {
        boolean allowed = (qp.remoteAccess() & Ibv.IBV_ACCESS_REMOTE_ATOMIC) != 0 && qp.maxReadsAnswered() != 0;
        if (!allowed || (address & 7) != 0) {
            return refuse(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_EVENT_QP_REQ_ERR);
        }
        long start = resolve(rkey, address, 8, Ibv.IBV_ACCESS_REMOTE_ATOMIC);
        if (start == SoftMemoryRegion.NO_ACCESS || (start & 7) != 0) {
            return refuse(Ibv.IBV_WC_REM_ACCESS_ERR, Ibv.IBV_EVENT_QP_ACCESS_ERR);
        }
        found = swap ? Memory.compareAndSwap(start, compare, swapOrAdd) : Memory.fetchAndAdd(start, swapOrAdd);
        return Ibv.IBV_WC_SUCCESS;
    }

    /** What the last atomic operation found. */
    long found() {
        return found;
    }

    int refuse(int remoteStatus, int event) {
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
            int sender, int senderLid, Segments data, boolean isGlobal, boolean hasImm, int imm, boolean solicited) {
        if (!take(null)) {
            return;
        }
        if (scatter(data) == Ibv.IBV_WC_SUCCESS) {
            int flags = (hasImm ? Ibv.IBV_WC_WITH_IMM : 0) | (isGlobal ? Ibv.IBV_WC_GRH : 0);
            taken = false;
            qp.recvCq()
                    .addReceived(
                            receive.wrId(),
                            Ibv.IBV_WC_RECV,
                            (int) data.total(),
                            hasImm ? imm : 0,
                            qp.number(),
                            sender,
                            flags,
                            senderLid,
                            solicited);
        }
    }

    /** Fills the 40 bytes that precede a datagram (the GRH) and adds them to {@code data}. */
    void addGrh(Segments data, AddressVector path, long payload) {
        Grh.write(grh(), path, (int) payload);
        data.add(grh, GRH_BYTES);
    }

    /** The same of a datagram whose path is global. */
    void addGrh(Segments data, Gid source, Gid destination, int payload) {
        Grh.write(grh(), source, destination, payload);
        data.add(grh, GRH_BYTES);
    }

    private long grh() {
        if (grh == 0) {
            grh = LibC.calloc(GRH_BYTES);
        }
        return grh;
    }

    /** Completes all receives of the queue pair's own queue as flushed. */
    void flush() {
        while (qp.receives().take(receive, null)) {
            flushReceive();
        }
    }

    /** Completes the receive of a message of which only a part has come, also of a shared queue. */
    void flushTaken() {
        if (taken) {
            taken = false;
            flushReceive();
        }
    }

    private void flushReceive() {
        qp.recvCq()
                .addFailed(
                        receive.wrId(),
                        Ibv.IBV_WC_WR_FLUSH_ERR,
                        Outcome.VENDOR_FLUSHED,
                        qp.number(),
                        SoftCompletionQueue.NO_SEND);
    }

    void reset() {
        established = false;
        taken = false;
    }

    void release() {
        receive.release();
        if (grh != 0) {
            LibC.free(grh);
        }
    }
}
