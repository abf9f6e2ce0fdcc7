package io.dxnet.softhca;

import io.dxnet.ibverbs.raw.ibv_qp;

/**
 * {@code ibv_qp}: a requester half and a responder half, each under its own lock, and the state
 * that both read. The verb {@code ibv_modify_qp} changes the state under both locks; a failing half
 * sets the error state under its own lock alone.
 */
final class SoftQueuePair extends SoftObject {
    /** The state of a destroyed queue pair: below all others. */
    private static final int DESTROYED = -1;

    /** For {@link #changeState}: whatever the state is. */
    static final int ANY = -2;

    private static final int INDEX_BITS = 16;
    /** The upper byte of a number is never 0: numbers 0 and 1 are not for applications. */
    private static final int GENERATIONS = 0xff;

    private static int generation;

    private final SoftProtectionDomain domain;
    private final SoftProtectionDomain base;
    private final SoftCompletionQueue sendCq;
    private final SoftCompletionQueue recvCq;
    private final SoftSharedReceiveQueue srq;
    private final ReceiveQueue receives;
    private final int type;
    private final boolean signalsAll;
    private final long qpContext;
    private final QueuePairAttributes attributes = new QueuePairAttributes();
    private final SendQueue sends;
    private final Responder responder;

    /** Answers a peer in another process; null where the peers are in this one. */
    private final WireReceives wire;

    /** Set once, with the structure. */
    private int number;

    private volatile int state = Ibv.IBV_QPS_RESET;

    /**
     * Whether the last move to the error state was already
     * followed by its event; under the responder lock.
     */
    private boolean lastReceiveReported;

    SoftQueuePair(
            SoftProtectionDomain domain,
            SoftCompletionQueue sendCq,
            SoftCompletionQueue recvCq,
            SoftSharedReceiveQueue srq,
            QueuePairRequest request) {
        super(domain.context);
        this.domain = domain;
        this.base = domain.base();
        this.sendCq = sendCq;
        this.recvCq = recvCq;
        this.srq = srq;
        this.type = request.type();
        this.signalsAll = request.signalsAll();
        this.qpContext = request.qpContext();
        this.receives = srq != null ? srq.queue() : new ReceiveQueue(request.maxRecvWr(), request.maxRecvSge());
        this.sends = new SendQueue(this, request.maxSendWr(), request.maxSendSge(), request.maxInline());
        this.responder = new Responder(this);
        this.wire = device().isWire() ? new WireReceives(this) : null;
    }

    @Override
    void writeStruct() {
        // Numbers come back late: the completions of a queue
        // pair that is gone must not look like another's.
        number = (Math.floorMod(generation++, GENERATIONS) + 1) << INDEX_BITS | handle();
        long at = address();
        Memory.putLong(at + ibv_qp.context$offset(), context.address());
        Memory.putLong(at + ibv_qp.qp_context$offset(), qpContext);
        Memory.putLong(at + ibv_qp.pd$offset(), domain.address());
        Memory.putLong(at + ibv_qp.send_cq$offset(), sendCq.address());
        Memory.putLong(at + ibv_qp.recv_cq$offset(), recvCq.address());
        Memory.putLong(at + ibv_qp.srq$offset(), srq == null ? 0 : srq.address());
        Memory.putInt(at + ibv_qp.handle$offset(), handle());
        Memory.putInt(at + ibv_qp.qp_num$offset(), number);
        Memory.putInt(at + ibv_qp.state$offset(), Ibv.IBV_QPS_RESET);
        Memory.putInt(at + ibv_qp.qp_type$offset(), type);
    }

    /** The live queue pair with this number, or null. Any thread. */
    static SoftQueuePair withNumber(int number) {
        SoftQueuePair qp = Fabric.QUEUE_PAIRS.withHandle(number & ((1 << INDEX_BITS) - 1));
        return qp != null && qp.number == number ? qp : null;
    }

    /**
     * Whether this queue pair would answer a request of
     * {@code requester}. Under this one's responder lock.
     */
    boolean answers(SoftQueuePair requester) {
        int now = state;
        return now >= Ibv.IBV_QPS_RTR
                && now <= Ibv.IBV_QPS_SQD
                && type == requester.type
                && requester.attributes.target() == device()
                && attributes.target() == requester.device()
                && attributes.destinationNumber() == requester.number
                && device().isPortUp()
                && requester.device().isPortUp();
    }

    /**
     * Whether this queue pair accepts a datagram that is addressed
     * to {@code target}. Under this one's responder lock.
     */
    boolean takesDatagrams(SoftQueuePair sender, SoftDevice target, int qkey) {
        int now = state;
        return now >= Ibv.IBV_QPS_RTR
                && now != Ibv.IBV_QPS_ERR
                && isDatagram()
                && device() == target
                && attributes.qkey() == qkey
                && target.isPortUp()
                && sender.device().isPortUp();
    }

    /**
     * Whether this queue pair accepts a datagram with this key from the wire.
     * Under the responder lock.
     */
    boolean acceptsDatagrams(int qkey) {
        int now = state;
        return now >= Ibv.IBV_QPS_RTR && now != Ibv.IBV_QPS_ERR && attributes.qkey() == qkey;
    }

    /** Whether requests with this opcode may be posted. */
    boolean mayPost(int opcode) {
        return isDatagram()
                ? opcode == Ibv.IBV_WR_SEND || opcode == Ibv.IBV_WR_SEND_WITH_IMM
                : opcode >= Ibv.IBV_WR_RDMA_WRITE && opcode <= Ibv.IBV_WR_SEND_WITH_INV;
    }

    /** Posts receives to the queue pair's own queue. */
    int postReceive(long chain, long badWr) {
        int now = state;
        if (srq != null || now < Ibv.IBV_QPS_INIT) {
            if (badWr != 0) {
                Memory.putLong(badWr, chain);
            }
            return Ibv.EINVAL;
        }
        int error = receives.post(chain, badWr);
        if (state == Ibv.IBV_QPS_ERR) {
            settle();
        }
        return error;
    }

    /** A request of this queue pair failed. Under the requester lock. */
    void requestFailed() {
        if (isDatagram()) {
            if (state != Ibv.IBV_QPS_ERR) {
                state = Ibv.IBV_QPS_SQE;
            }
        } else {
            state = Ibv.IBV_QPS_ERR;
            Fabric.defer(this::settle);
        }
    }

    /** A request to this queue pair failed. Under the responder lock. */
    void failWithLock() {
        state = Ibv.IBV_QPS_ERR;
        Fabric.defer(this::settle);
    }

    /** Something outside made this queue pair unusable. Under the control lock alone. */
    void fail(int event) {
        if (state > Ibv.IBV_QPS_RESET && state != Ibv.IBV_QPS_ERR) {
            changeState(ANY, Ibv.IBV_QPS_ERR, 0, 0);
            context.raise(this, event);
        }
    }

    /**
     * Runs the peer's requests again: a peer that waits for
     * this queue pair to be ready would wait for ever.
     */
    private void wakePeer() {
        SoftQueuePair peer = isDatagram() || wire != null ? null : withNumber(destinationNumber());
        if (peer != null && peer.destinationNumber() == number) {
            peer.sends.progress();
        }
    }

    /** Flushes both queues of a queue pair that is in the error state. Without locks of queues. */
    private void settle() {
        sends.progress();
        wakePeer();
        responder.lock().lock();
        try {
            if (state != Ibv.IBV_QPS_ERR) {
                return;
            }
            if (wire != null) {
                wire.acknowledgeAll();
            }
            responder.flushTaken();
            if (srq == null) {
                responder.flush();
            } else if (!lastReceiveReported) {
                lastReceiveReported = true;
                context.raise(this, Ibv.IBV_EVENT_QP_LAST_WQE_REACHED);
            }
        } finally {
            responder.lock().unlock();
        }
    }

    /**
     * Changes the state and the attributes. Under the control
     * lock alone; the new state was found to be allowed.
     *
     * @param from the state that the change was allowed from, or {@link #ANY}
     * @param attr an {@code ibv_qp_attr}, ignored where the mask is 0
     */
    void changeState(int from, int to, long attr, int mask) {
        sends.lock().lock();
        try {
            responder.lock().lock();
            try {
                // A request may have failed since the caller read the state.
                VerbError.require(from == ANY || from == state);
                if (mask != 0) {
                    attributes.modify(device(), attr, mask);
                }
                if (to == Ibv.IBV_QPS_RESET) {
                    reset();
                }
                state = to;
                if (wire != null) {
                    wire.stateChanged();
                    sends.wire().stateChanged();
                }
            } finally {
                responder.lock().unlock();
            }
        } finally {
            sends.unlock();
        }
        Memory.putInt(address() + ibv_qp.state$offset(), to);
        if (to == Ibv.IBV_QPS_ERR) {
            settle();
        } else {
            if (to == Ibv.IBV_QPS_SQD && attributes.wantsDrainedEvent() && wire == null) {
                context.raise(this, Ibv.IBV_EVENT_SQ_DRAINED);
            }
            sends.progress();
            wakePeer();
        }
    }

    private void reset() {
        sends.clear();
        if (srq == null) {
            receives.clear();
        }
        responder.reset();
        lastReceiveReported = false;
    }

    /** Waits until no transfer is running that began before. Under the control lock alone. */
    void quiesce() {
        sends.lock().lock();
        if (wire != null) {
            sends.wire().invalidate();
        }
        sends.unlock();
        responder.lock().lock();
        responder.invalidate();
        responder.lock().unlock();
    }

    /** Frees the memory, after the queue pair left its table. */
    void release() {
        sends.lock().lock();
        try {
            responder.lock().lock();
            try {
                state = DESTROYED;
                if (wire != null) {
                    wire.stop();
                }
                sends.clear();
                sends.release();
                responder.release();
            } finally {
                responder.lock().unlock();
            }
        } finally {
            sends.unlock();
        }
        if (srq == null) {
            receives.close();
        }
        wakePeer();
    }

    SoftDevice device() {
        return context.device();
    }

    SoftProtectionDomain domain() {
        return domain;
    }

    /** The protection domain that keys are compared with. */
    SoftProtectionDomain base() {
        return base;
    }

    SoftCompletionQueue sendCq() {
        return sendCq;
    }

    SoftCompletionQueue recvCq() {
        return recvCq;
    }

    /** The shared receive queue, or null. */
    SoftSharedReceiveQueue srq() {
        return srq;
    }

    ReceiveQueue receives() {
        return receives;
    }

    /** Answers a peer in another process, or null. */
    WireReceives wire() {
        return wire;
    }

    SendQueue sends() {
        return sends;
    }

    Responder responder() {
        return responder;
    }

    QueuePairAttributes attributes() {
        return attributes;
    }

    int number() {
        return number;
    }

    int type() {
        return type;
    }

    int state() {
        return state;
    }

    long qpContext() {
        return qpContext;
    }

    boolean isDatagram() {
        return type == Ibv.IBV_QPT_UD;
    }

    boolean signalsAll() {
        return signalsAll;
    }

    int destinationNumber() {
        return attributes.destinationNumber();
    }

    int qkey() {
        return attributes.qkey();
    }

    int remoteAccess() {
        return attributes.accessFlags();
    }

    int maxReads() {
        return attributes.maxReads();
    }

    int maxReadsAnswered() {
        return attributes.maxReadsAnswered();
    }

    int minNotReadyTimer() {
        return attributes.minNotReadyTimer();
    }

    int timeout() {
        return attributes.timeout();
    }

    int retryCount() {
        return attributes.retryCount();
    }

    int notReadyRetries() {
        return attributes.notReadyRetries();
    }
}
