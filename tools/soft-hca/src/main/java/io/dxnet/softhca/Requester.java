package io.dxnet.softhca;

import io.dxnet.softhca.roce.RetryTimes;

/**
 * The half of a queue pair that makes requests: executes one work request at once, from the
 * sender's memory to the receiver's. Used under the requester lock. The first request that needs
 * the peer's responder lock acquires it; {@link #releasePeer} releases it.
 */
final class Requester {
    private final SoftQueuePair qp;
    private final SoftProtectionDomain base;
    private final SoftFaults faults;
    private final Segments data = new Segments();
    private final Segments packet = new Segments();

    /** Eight bytes for the result of an atomic operation. */
    private final long scratch = LibC.calloc(8);

    /** The peer whose responder lock this thread holds, or null. */
    private SoftQueuePair peer;

    Requester(SoftQueuePair qp) {
        this.qp = qp;
        this.base = qp.base();
        this.faults = qp.device().faults();
    }

    /**
     * Executes a request.
     *
     * @param wr an {@code ibv_send_wr}
     * @param sges its gather list, which need not be the one that {@code wr} points to
     * @return an {@link Outcome}
     */
    int execute(long wr, long sges, int sgeCount) {
        int opcode = Memory.getInt(wr + Offsets.SEND_OPCODE);
        if (isLocal(opcode)) {
            data.clear();
            return executeLocal(wr);
        }
        int flags = Memory.getInt(wr + Offsets.SEND_FLAGS);
        if (!load(sges, sgeCount, flags, isFetch(opcode))) {
            return Ibv.IBV_WC_LOC_PROT_ERR;
        }
        if (data.total() > SoftDevice.MAX_MESSAGE) {
            return Ibv.IBV_WC_LOC_LEN_ERR;
        }
        if (faults.active()) {
            int outcome = faults.onRequest();
            if (outcome != Ibv.IBV_WC_SUCCESS) {
                return qp.isDatagram() && outcome < 0 ? Ibv.IBV_WC_SUCCESS : outcome;
            }
        }
        return qp.isDatagram() ? sendDatagram(wr, opcode, flags) : request(wr, opcode, flags);
    }

    private boolean load(long sges, int sgeCount, int flags, boolean fetches) {
        if ((flags & Ibv.IBV_SEND_INLINE) != 0) {
            data.loadInline(sges, sgeCount);
            return true;
        }
        int access = fetches ? Ibv.IBV_ACCESS_LOCAL_WRITE : 0;
        return data.load(sges, sgeCount, base, access, Long.MAX_VALUE);
    }

    /** Whether the request is about memory windows of this side: no peer hears of it. */
    static boolean isLocal(int opcode) {
        return opcode == Ibv.IBV_WR_BIND_MW || opcode == Ibv.IBV_WR_LOCAL_INV;
    }

    /** Executes a request of which {@link #isLocal} holds. */
    int executeLocal(long wr) {
        // No thread holds the responder locks of two queue pairs.
        releasePeer();
        boolean binds = Memory.getInt(wr + Offsets.SEND_OPCODE) == Ibv.IBV_WR_BIND_MW;
        qp.responder().lock().lock();
        try {
            boolean done = binds
                    ? SoftMemoryWindow.bind(wr, qp)
                    : SoftMemoryWindow.invalidate(Memory.getInt(wr + Offsets.SEND_INVALIDATE_RKEY), qp);
            return done ? Ibv.IBV_WC_SUCCESS : Ibv.IBV_WC_MW_BIND_ERR;
        } finally {
            qp.responder().lock().unlock();
        }
    }

    /** Whether the request brings something back. */
    static boolean isFetch(int opcode) {
        return opcode == Ibv.IBV_WR_RDMA_READ || isAtomic(opcode);
    }

    private static boolean isAtomic(int opcode) {
        return opcode == Ibv.IBV_WR_ATOMIC_CMP_AND_SWP || opcode == Ibv.IBV_WR_ATOMIC_FETCH_AND_ADD;
    }

    /** How many bytes the last request moved. */
    long bytes() {
        return data.total();
    }

    private int request(long wr, int opcode, int flags) {
        if (isFetch(opcode) && qp.maxReads() == 0) {
            return Ibv.IBV_WC_LOC_QP_OP_ERR;
        }
        if (isAtomic(opcode) && data.total() < 8) {
            return Ibv.IBV_WC_LOC_LEN_ERR;
        }
        SoftQueuePair target = lockPeer();
        if (target == null) {
            return Outcome.NO_ANSWER;
        }
        Responder responder = target.responder();
        boolean solicited = (flags & Ibv.IBV_SEND_SOLICITED) != 0;
        int imm = Memory.getInt(wr + Offsets.SEND_IMM);
        return switch (opcode) {
            case Ibv.IBV_WR_SEND -> responder.receive(qp, data, 0, 0, solicited);
            case Ibv.IBV_WR_SEND_WITH_IMM -> responder.receive(qp, data, Ibv.IBV_WC_WITH_IMM, imm, solicited);
            case Ibv.IBV_WR_SEND_WITH_INV ->
                responder.receive(
                        qp, data, Ibv.IBV_WC_WITH_INV, Memory.getInt(wr + Offsets.SEND_INVALIDATE_RKEY), solicited);
            case Ibv.IBV_WR_RDMA_WRITE, Ibv.IBV_WR_RDMA_WRITE_WITH_IMM ->
                responder.write(
                        qp, data, rkey(wr), remote(wr), opcode == Ibv.IBV_WR_RDMA_WRITE_WITH_IMM, imm, solicited);
            case Ibv.IBV_WR_RDMA_READ -> responder.read(data, rkey(wr), remote(wr));
            default -> responder.atomic(wr, opcode == Ibv.IBV_WR_ATOMIC_CMP_AND_SWP, data, scratch);
        };
    }

    private static int rkey(long wr) {
        return Memory.getInt(wr + Offsets.RDMA_RKEY);
    }

    private static long remote(long wr) {
        return Memory.getLong(wr + Offsets.RDMA_REMOTE_ADDR);
    }

    /**
     * Returns the connected peer with its responder lock held, or null where no peer would answer.
     */
    private SoftQueuePair lockPeer() {
        if (peer != null) {
            return peer;
        }
        SoftQueuePair found = SoftQueuePair.withNumber(qp.destinationNumber());
        if (found == null) {
            return null;
        }
        found.responder().lock().lock();
        if (!found.answers(qp)) {
            found.responder().lock().unlock();
            return null;
        }
        peer = found;
        return found;
    }

    /** The time after which the last peer that was not ready wants to be asked again. */
    long notReadyDelayNs() {
        SoftQueuePair found = peer != null ? peer : SoftQueuePair.withNumber(qp.destinationNumber());
        return RetryTimes.notReadyNs(found == null ? 0 : found.minNotReadyTimer());
    }

    /** Releases the peer's lock; called at the end of every chain. */
    void releasePeer() {
        if (peer != null) {
            peer.responder().lock().unlock();
            peer = null;
        }
    }

    private int sendDatagram(long wr, int opcode, int flags) {
        long payload = data.total();
        if (payload > SoftDevice.MAX_DATAGRAM) {
            return Ibv.IBV_WC_LOC_LEN_ERR;
        }
        SoftAddressHandle handle = Fabric.ADDRESS_HANDLES.at(Memory.getLong(wr + Offsets.UD_AH));
        if (handle == null || handle.domain().base() != base) {
            return Ibv.IBV_WC_LOC_QP_OP_ERR;
        }
        AddressVector path = handle.vector();
        SoftQueuePair target = SoftQueuePair.withNumber(Memory.getInt(wr + Offsets.UD_REMOTE_QPN));
        if (target == null) {
            return Ibv.IBV_WC_SUCCESS;
        }
        int qkey = Memory.getInt(wr + Offsets.UD_REMOTE_QKEY);
        Responder responder = target.responder();
        responder.lock().lock();
        try {
            // A key with its highest bit set stands for the queue pair's own.
            if (target.takesDatagrams(qp, path.target(), qkey < 0 ? qp.qkey() : qkey)) {
                packet.clear();
                responder.addGrh(packet, path, payload);
                packet.addAll(data);
                responder.receiveDatagram(
                        qp.number(),
                        qp.device().lid(),
                        packet,
                        path.isGlobal(),
                        opcode == Ibv.IBV_WR_SEND_WITH_IMM,
                        Memory.getInt(wr + Offsets.SEND_IMM),
                        (flags & Ibv.IBV_SEND_SOLICITED) != 0);
            }
        } finally {
            responder.lock().unlock();
        }
        return Ibv.IBV_WC_SUCCESS;
    }

    void release() {
        LibC.free(scratch);
    }
}
