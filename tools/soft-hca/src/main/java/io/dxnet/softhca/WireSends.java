package io.dxnet.softhca;

import io.dxnet.softhca.roce.Opcode;
import io.dxnet.softhca.roce.Packet;
import io.dxnet.softhca.roce.Request;
import io.dxnet.softhca.roce.RequestKind;
import io.dxnet.softhca.roce.RequestSource;
import io.dxnet.softhca.roce.RequestStatus;
import io.dxnet.softhca.roce.RequesterMachine;
import io.dxnet.softhca.roce.RequesterSettings;
import io.dxnet.softhca.roce.RetryTimes;
import java.util.function.LongConsumer;

/**
 * Sends the requests of a send queue whose peers are in other processes: those of a connection
 * through a {@link RequesterMachine}, datagrams at once. Used under the requester lock.
 */
final class WireSends implements RequestSource {
    private static final int MTU_UNIT = 128;
    private static final long NONE = -1;

    private final SoftQueuePair qp;
    private final SendQueue sends;

    /** The memory of the request that is being sent, and of the one that is being answered. */
    private final Segments sent = new Segments();

    private final Segments answered = new Segments();
    private long sentSequence = NONE;
    private long answeredSequence = NONE;

    /** The first request that the fault switches have not seen. */
    private long unseen;

    private int injected;

    /** Null before the state RTS, and for datagrams. */
    private RequesterMachine machine;

    private int maxReads; // of the connection

    /** Written under the requester lock, read by threads that receive. */
    private volatile WirePath path;

    private final LateAck lateAck = new LateAck();
    private final LongConsumer lateAckProcessor = this::acknowledge;
    private boolean reportsDrained;

    /** Built at the first datagram. */
    private Packet datagram;

    private int datagramPsn;

    /**
     * When {@link #onTime} is to be called; written under the requester lock, and by a thread that
     * leaves an acknowledgement behind; read by the device's thread.
     */
    private volatile long dueNs = RequesterMachine.NEVER;

    WireSends(SoftQueuePair qp, SendQueue sends) {
        this.qp = qp;
        this.sends = sends;
    }

    /** The queue pair's state is another, under both locks. */
    void stateChanged() {
        int state = qp.state();
        if (state == Ibv.IBV_QPS_RTS && machine == null && !qp.isDatagram()) {
            QueuePairAttributes attributes = qp.attributes();
            maxReads = attributes.maxReads();
            path = new WirePath(qp.device(), attributes.peerAddress());
            machine = new RequesterMachine(
                    this,
                    path,
                    new RequesterSettings(
                            attributes.destinationNumber(),
                            MTU_UNIT << attributes.pathMtu(),
                            attributes.sendPsn(),
                            maxReads,
                            path.endpoint().windowBytes(),
                            RetryTimes.ackNs(attributes.timeout()),
                            attributes.retryCount(),
                            attributes.notReadyRetries()),
                    sends.executed());
            path.endpoint().add(qp);
        }
        reportsDrained = state == Ibv.IBV_QPS_SQD && qp.attributes().wantsDrainedEvent();
        reportDrained();
    }

    private void reportDrained() {
        if (reportsDrained && (machine == null || !machine.isBusy())) {
            reportsDrained = false;
            qp.context.raise(qp, Ibv.IBV_EVENT_SQ_DRAINED);
        }
    }

    /** Sends nothing any more; a new connection begins anew. */
    void stop() {
        if (machine != null) {
            machine.stop();
            machine = null;
            path.endpoint().remove(qp);
        }
        dueNs = RequesterMachine.NEVER;
        lateAck.clear();
        invalidate();
    }

    /** Keys may have changed: what was checked is checked again. */
    void invalidate() {
        sentSequence = NONE;
        answeredSequence = NONE;
        if (machine != null) {
            machine.invalidate();
        }
    }

    /** Sends what may be sent. */
    void advance() {
        if (machine != null) {
            try {
                machine.advance(System.nanoTime());
                if (path.hasRoomBehind(Packet.ACKNOWLEDGEMENT_BYTES)) {
                    qp.wire().acknowledgeBehind(path);
                }
            } finally {
                finish();
            }
        } else if (qp.isDatagram()) {
            while (sends.waiting() > 0 && qp.state() == Ibv.IBV_QPS_RTS) {
                sends.finishOldest(sendDatagram(sends.slot(sends.executed())));
            }
        }
    }

    /** Sends what the machine has built, and notes when it is due again. */
    private void finish() {
        path.flush();
        reportDrained();
        if (machine != null) {
            long due = machine.dueNs();
            dueNs = due;
            if (due != RequesterMachine.NEVER) {
                path.endpoint().schedule(due);
            }
        }
    }

    long dueNs() {
        return dueNs;
    }

    /** Processes an answer, without locks of queues. */
    void receive(Packet packet, int source, long nowNs) {
        SpinLock lock = sends.lock();
        if (!lock.tryLock()) {
            if (packet.isPositiveAck()) {
                WirePath from = path;
                if (from == null || from.peer() != source) {
                    return;
                }
                if (lateAck.leave(source, packet.psn())) {
                    processLateAck();
                    return;
                }
            }
            lock.lock();
        }
        try {
            lateAck.remove(lateAckProcessor);
            if (machine != null && path.peer() == source) {
                try {
                    machine.receive(packet, nowNs);
                } finally {
                    finish();
                }
            }
        } finally {
            sends.unlock();
        }
    }

    /** Sends again what is due, without locks of queues. */
    void onTime(long nowNs) {
        sends.lock().lock();
        try {
            lateAck.remove(lateAckProcessor);
            if (machine != null) {
                try {
                    machine.onTime(nowNs);
                } finally {
                    finish();
                }
            }
        } finally {
            sends.unlock();
        }
    }

    /** Processes what came while a thread held the requester lock. Any thread, without it. */
    void processLateAck() {
        if (lateAck.process(sends.lock(), lateAckProcessor)) {
            // The next thread that receives does: the one that posts has work of its own.
            long nowNs = System.nanoTime();
            dueNs = nowNs;
            path.endpoint().schedule(nowNs);
        }
    }

    private void acknowledge(long ack) {
        if (machine != null && path.peer() == LateAck.source(ack)) {
            try {
                machine.acknowledge(LateAck.psn(ack), System.nanoTime());
            } finally {
                finish();
            }
        }
    }

    @Override
    public long startable() {
        return qp.state() == Ibv.IBV_QPS_RTS ? sends.posted() : 0;
    }

    @Override
    public RequestStatus load(long sequence, Request into) {
        long wr = sends.slot(sequence);
        int opcode = Memory.getInt(wr + Offsets.SEND_OPCODE);
        int flags = Memory.getInt(wr + Offsets.SEND_FLAGS);
        into.kind = kind(opcode);
        sentSequence = NONE;
        if (into.kind == RequestKind.LOCAL) {
            return RequestStatus.SUCCESS;
        }
        if (!loadMemory(wr, into.kind.isFetch(), sent)) {
            return RequestStatus.LOCAL_PROTECTION;
        }
        sentSequence = sequence;
        into.length = sent.total();
        into.solicited = (flags & Ibv.IBV_SEND_SOLICITED) != 0;
        into.fenced = (flags & Ibv.IBV_SEND_FENCE) != 0;
        into.immediate = Integer.reverseBytes(Memory.getInt(wr + Offsets.SEND_IMM));
        into.invalidateKey = Memory.getInt(wr + Offsets.SEND_INVALIDATE_RKEY);
        into.remoteAddress = Memory.getLong(wr + Offsets.RDMA_REMOTE_ADDR);
        into.remoteKey = Memory.getInt(wr + (into.kind.isAtomic() ? Offsets.ATOMIC_RKEY : Offsets.RDMA_RKEY));
        return check(sequence, wr, into);
    }

    private RequestStatus check(long sequence, long wr, Request request) {
        if (request.length > SoftDevice.MAX_MESSAGE || request.kind.isAtomic() && request.length < 8) {
            return RequestStatus.LOCAL_LENGTH;
        }
        if (request.kind.isFetch() && maxReads == 0) {
            return RequestStatus.LOCAL_OPERATION;
        }
        if (request.kind.isAtomic()) {
            long first = Memory.getLong(wr + Offsets.ATOMIC_COMPARE_ADD);
            boolean swaps = request.kind == RequestKind.COMPARE_SWAP;
            request.compare = swaps ? first : 0;
            request.swapOrAdd = swaps ? Memory.getLong(wr + Offsets.ATOMIC_SWAP) : first;
            request.length = 8;
        }
        SoftFaults faults = qp.device().faults();
        if (faults.active() && sequence >= unseen) {
            injected = faults.nextFailure();
            unseen = sequence + 1;
            return injected == Ibv.IBV_WC_SUCCESS ? RequestStatus.SUCCESS : RequestStatus.INJECTED;
        }
        return RequestStatus.SUCCESS;
    }

    private boolean loadMemory(long wr, boolean fetches, Segments into) {
        long sges = wr + SendQueue.SLOT_SGES;
        int count = Memory.getInt(wr + Offsets.SEND_NUM_SGE);
        if ((Memory.getInt(wr + Offsets.SEND_FLAGS) & Ibv.IBV_SEND_INLINE) != 0) {
            into.loadInline(sges, count);
            return true;
        }
        int access = fetches ? Ibv.IBV_ACCESS_LOCAL_WRITE : 0;
        return into.load(sges, count, qp.base(), access, Long.MAX_VALUE);
    }

    private static RequestKind kind(int opcode) {
        return switch (opcode) {
            case Ibv.IBV_WR_SEND -> RequestKind.SEND;
            case Ibv.IBV_WR_SEND_WITH_IMM -> RequestKind.SEND_IMMEDIATE;
            case Ibv.IBV_WR_SEND_WITH_INV -> RequestKind.SEND_INVALIDATE;
            case Ibv.IBV_WR_BIND_MW, Ibv.IBV_WR_LOCAL_INV -> RequestKind.LOCAL;
            case Ibv.IBV_WR_RDMA_WRITE -> RequestKind.WRITE;
            case Ibv.IBV_WR_RDMA_WRITE_WITH_IMM -> RequestKind.WRITE_IMMEDIATE;
            case Ibv.IBV_WR_RDMA_READ -> RequestKind.READ;
            case Ibv.IBV_WR_ATOMIC_CMP_AND_SWP -> RequestKind.COMPARE_SWAP;
            default -> RequestKind.FETCH_ADD;
        };
    }

    @Override
    public RequestStatus execute(long sequence) {
        int outcome = sends.executeLocal(sequence);
        return outcome == Ibv.IBV_WC_SUCCESS ? RequestStatus.SUCCESS : RequestStatus.LOCAL_WINDOW;
    }

    @Override
    public boolean gather(long sequence, long offset, Packet packet, int bytes) {
        if (sentSequence != sequence) {
            sentSequence = NONE;
            if (!loadMemory(sends.slot(sequence), false, sent)) {
                return false;
            }
            sentSequence = sequence;
        }
        sent.drain(offset, packet.payloadAddress(), bytes);
        return true;
    }

    @Override
    public boolean scatter(long sequence, long offset, Packet packet) {
        if (!loadAnswered(sequence)) {
            return false;
        }
        if (packet.payloadBytes() != 0) {
            answered.fill(packet.payloadAddress(), packet.payloadBytes(), offset);
        }
        return true;
    }

    private boolean loadAnswered(long sequence) {
        if (answeredSequence != sequence) {
            answeredSequence = NONE;
            if (!loadMemory(sends.slot(sequence), true, answered)) {
                return false;
            }
            answeredSequence = sequence;
        }
        return true;
    }

    @Override
    public boolean scatterValue(long sequence, long value) {
        if (!loadAnswered(sequence)) {
            return false;
        }
        for (int i = 0; i < 8; i++) {
            answered.putByte(i, (byte) (value >> 8 * i));
        }
        return true;
    }

    @Override
    public void complete(long sequence, RequestStatus status) {
        sends.finishOldest(outcome(status));
    }

    private int outcome(RequestStatus status) {
        return switch (status) {
            case SUCCESS -> Ibv.IBV_WC_SUCCESS;
            case LOCAL_LENGTH -> Ibv.IBV_WC_LOC_LEN_ERR;
            case LOCAL_OPERATION -> Ibv.IBV_WC_LOC_QP_OP_ERR;
            case LOCAL_PROTECTION -> Ibv.IBV_WC_LOC_PROT_ERR;
            case LOCAL_WINDOW -> Ibv.IBV_WC_MW_BIND_ERR;
            case REMOTE_INVALID_REQUEST -> Ibv.IBV_WC_REM_INV_REQ_ERR;
            case REMOTE_ACCESS -> Ibv.IBV_WC_REM_ACCESS_ERR;
            case REMOTE_OPERATION -> Ibv.IBV_WC_REM_OP_ERR;
            case RETRIES_EXCEEDED -> Ibv.IBV_WC_RETRY_EXC_ERR;
            case NOT_READY_EXCEEDED -> Ibv.IBV_WC_RNR_RETRY_EXC_ERR;
            case INJECTED -> injected;
        };
    }

    private int sendDatagram(long wr) {
        if (!loadMemory(wr, false, sent)) {
            return Ibv.IBV_WC_LOC_PROT_ERR;
        }
        if (sent.total() > MTU_UNIT << qp.device().activeMtu()) {
            return Ibv.IBV_WC_LOC_LEN_ERR;
        }
        SoftAddressHandle handle = Fabric.ADDRESS_HANDLES.at(Memory.getLong(wr + Offsets.UD_AH));
        if (handle == null || handle.domain().base() != qp.base()) {
            return Ibv.IBV_WC_LOC_QP_OP_ERR;
        }
        if (datagram == null) {
            datagram = new Packet();
        }
        boolean hasImmediate = Memory.getInt(wr + Offsets.SEND_OPCODE) == Ibv.IBV_WR_SEND_WITH_IMM;
        boolean solicited = (Memory.getInt(wr + Offsets.SEND_FLAGS) & Ibv.IBV_SEND_SOLICITED) != 0;
        int opcode = hasImmediate ? Opcode.UD_SEND_ONLY_IMM : Opcode.UD_SEND_ONLY;
        datagram.begin(opcode, solicited, Memory.getInt(wr + Offsets.UD_REMOTE_QPN), false, datagramPsn++);
        int qkey = Memory.getInt(wr + Offsets.UD_REMOTE_QKEY);
        // A key with its highest bit set stands for the queue pair's own.
        datagram.setDatagram(qkey < 0 ? qp.qkey() : qkey, qp.number());
        if (hasImmediate) {
            datagram.setImmediate(Integer.reverseBytes(Memory.getInt(wr + Offsets.SEND_IMM)));
        }
        int bytes = (int) sent.total();
        if (bytes != 0) {
            sent.drain(0, datagram.payloadAddress(), bytes);
        }
        datagram.setPayload(bytes);
        WirePath to = handle.path();
        synchronized (to) { // queue pairs share the handle
            to.send(datagram);
            to.flush();
        }
        return Ibv.IBV_WC_SUCCESS;
    }
}
