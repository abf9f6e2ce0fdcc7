package io.dxnet.softhca;

import io.dxnet.softhca.roce.Answer;
import io.dxnet.softhca.roce.Opcode;
import io.dxnet.softhca.roce.Packet;
import io.dxnet.softhca.roce.RequestSink;
import io.dxnet.softhca.roce.ResponderMachine;
import io.dxnet.softhca.roce.ResponderSettings;

/**
 * The answering half of a queue pair whose peer is in another process: hands what arrives to the
 * {@link Responder}, piece by piece. Used under the responder lock.
 */
final class WireReceives implements RequestSink {
    /** Answers of reads at a time, so that a long read does not stop the others. */
    private static final int ANSWERS_AT_A_TIME = 32;

    private static final int MTU_UNIT = 128;

    private final SoftQueuePair qp;
    private final Segments datagram = new Segments();

    /** Null before the state RTR, and for datagrams. */
    private ResponderMachine machine;

    private WirePath path;

    /** Whether answers wait; of the thread that receives. */
    private boolean isQueued;

    WireReceives(SoftQueuePair qp) {
        this.qp = qp;
    }

    /** The queue pair's state is another, under both locks. */
    void stateChanged() {
        int state = qp.state();
        if (state == Ibv.IBV_QPS_RTR && machine == null && !qp.isDatagram()) {
            QueuePairAttributes attributes = qp.attributes();
            path = new WirePath(qp.device(), attributes.peerAddress());
            machine = new ResponderMachine(
                    this,
                    path,
                    new ResponderSettings(
                            attributes.destinationNumber(),
                            MTU_UNIT << attributes.pathMtu(),
                            attributes.receivePsn(),
                            attributes.maxReadsAnswered()));
        } else if (state == Ibv.IBV_QPS_RESET || state == Ibv.IBV_QPS_ERR) {
            stop();
        }
    }

    /** Acknowledges what was received, and receives nothing any more. */
    void stop() {
        if (machine != null) {
            machine.stop();
            flush();
            machine = null;
        }
    }

    /** Acknowledges what was received, requested or not. Under the responder lock. */
    void acknowledgeAll() {
        if (machine != null) {
            machine.acknowledgeAll();
            flush();
        }
    }

    private boolean isFrom(int source) {
        return machine != null && path.peer() == source;
    }

    /** Processes a packet of a reliable connection, without locks of queues. */
    void receive(Packet packet, int source) {
        qp.responder().lock().lock();
        try {
            int state = qp.state();
            if (state >= Ibv.IBV_QPS_RTR && state <= Ibv.IBV_QPS_SQD && isFrom(source)) {
                machine.receive(packet);
            }
        } finally {
            qp.responder().lock().unlock();
        }
    }

    /**
     * Sends what is to be answered, without locks of queues.
     *
     * @return whether more is left
     */
    boolean answer() {
        qp.responder().lock().lock();
        try {
            return answerAndFlush();
        } finally {
            qp.responder().lock().unlock();
        }
    }

    private boolean answerAndFlush() {
        try {
            return machine != null && machine.answer(ANSWERS_AT_A_TIME);
        } finally {
            flush();
        }
    }

    /**
     * Sends the acknowledgement that is due behind packets of the requester: both reach the peer
     * with one passage through the kernel. Under the requester lock.
     */
    void acknowledgeBehind(WirePath packets) {
        SpinLock lock = qp.responder().lock();
        if (lock.tryLock()) {
            try {
                if (isFrom(packets.peer())) {
                    machine.acknowledge(packets);
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private void flush() {
        if (path != null) {
            path.flush();
        }
    }

    /** Whether this was not in the queue of those that answer; then it is. */
    boolean enqueue() {
        boolean added = !isQueued;
        isQueued = true;
        return added;
    }

    void dequeue() {
        isQueued = false;
    }

    /** Delivers a datagram, or drops it, without locks of queues. */
    void receiveDatagram(Packet packet, int source) {
        Responder responder = qp.responder();
        responder.lock().lock();
        try {
            if (!qp.acceptsDatagrams(packet.queueKey())) {
                return;
            }
            Gid sender = Gid.ofIpv4(source);
            Gid receiver = Gid.ofIpv4(qp.device().address());
            datagram.clear();
            responder.addGrh(datagram, sender, receiver, packet.payloadBytes());
            if (packet.payloadBytes() != 0) {
                datagram.add(packet.payloadAddress(), packet.payloadBytes());
            }
            boolean hasImmediate = Opcode.hasImmediate(packet.opcode());
            responder.receiveDatagram(
                    packet.source(), 0, datagram, true, hasImmediate, immediate(packet), packet.isSolicited());
        } finally {
            responder.lock().unlock();
        }
    }

    /** As it lies in memory. */
    private static int immediate(Packet packet) {
        return Opcode.hasImmediate(packet.opcode()) ? Integer.reverseBytes(packet.immediate()) : 0;
    }

    @Override
    public Answer beginReceive() {
        SoftFaults faults = qp.device().faults();
        if (faults.active() && faults.isNotReady()) {
            return Answer.NOT_READY;
        }
        return qp.responder().take(null) ? Answer.DONE : Answer.NOT_READY;
    }

    @Override
    public Answer receive(long offset, Packet packet) {
        return answerFor(qp.responder().scatterPart(offset, packet.payloadAddress(), packet.payloadBytes()));
    }

    @Override
    public Answer endReceive(boolean isSend, long length, Packet packet) {
        int opcode = isSend ? Ibv.IBV_WC_RECV : Ibv.IBV_WC_RECV_RDMA_WITH_IMM;
        boolean invalidates = Opcode.hasInvalidate(packet.opcode());
        int flags = invalidates ? Ibv.IBV_WC_WITH_INV : Opcode.hasImmediate(packet.opcode()) ? Ibv.IBV_WC_WITH_IMM : 0;
        int extra = invalidates ? packet.invalidateKey() : immediate(packet);
        return answerFor(qp.responder().complete(opcode, length, flags, extra, packet.isSolicited()));
    }

    @Override
    public Answer checkWrite(long address, int key, long length) {
        return answerFor(qp.responder().checkWrite(key, address, length));
    }

    @Override
    public Answer write(long address, int key, Packet packet) {
        int outcome = qp.responder().checkWrite(key, address, packet.payloadBytes());
        if (outcome == Ibv.IBV_WC_SUCCESS) {
            Memory.copy(packet.payloadAddress(), qp.responder().resolved(), packet.payloadBytes());
        }
        return answerFor(outcome);
    }

    @Override
    public void endWrite() {
        qp.responder().establish();
    }

    @Override
    public Answer checkRead(long address, int key, long length) {
        return answerFor(qp.responder().checkRead(key, address, length));
    }

    @Override
    public Answer read(long address, int key, Packet packet, int bytes) {
        int outcome = qp.responder().checkRead(key, address, bytes);
        if (outcome == Ibv.IBV_WC_SUCCESS) {
            Memory.copy(qp.responder().resolved(), packet.payloadAddress(), bytes);
        }
        return answerFor(outcome);
    }

    @Override
    public Answer atomic(boolean swaps, long address, int key, long swapOrAdd, long compare) {
        return answerFor(qp.responder().atomic(swaps, address, key, swapOrAdd, compare));
    }

    @Override
    public long atomicResult() {
        return qp.responder().found();
    }

    @Override
    public void refuseInvalid() {
        qp.responder().refuse(Ibv.IBV_WC_REM_INV_REQ_ERR, Ibv.IBV_EVENT_QP_REQ_ERR);
    }

    @Override
    public int notReadyTimer() {
        return qp.minNotReadyTimer();
    }

    private static Answer answerFor(int outcome) {
        return switch (outcome) {
            case Ibv.IBV_WC_SUCCESS -> Answer.DONE;
            case Ibv.IBV_WC_REM_ACCESS_ERR -> Answer.ACCESS_ERROR;
            case Ibv.IBV_WC_REM_OP_ERR -> Answer.OPERATION_ERROR;
            default -> Answer.INVALID_REQUEST;
        };
    }
}
