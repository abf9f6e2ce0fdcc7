package io.dxnet.softhca;

import io.dxnet.softhca.roce.Icrc;
import io.dxnet.softhca.roce.Opcode;
import io.dxnet.softhca.roce.Packet;

/**
 * Receives the packets of a device on the wire, and hands each to the queue pair that it is for.
 * Used under the receive lock.
 */
final class WireInput {
    private final SoftDevice device;
    private final UdpSocket socket;
    private final Answering answering;

    /** Writes the packets to a file, or null. */
    private final WireCapture capture;

    private final ReceivedDatagrams datagrams = new ReceivedDatagrams();
    private final Packet packet = new Packet();
    private final Icrc icrc = new Icrc();
    private final ReceiveBatch batch = new ReceiveBatch();
    private boolean isEmpty;

    WireInput(SoftDevice device, UdpSocket socket, Answering answering, WireCapture capture) {
        this.device = device;
        this.socket = socket;
        this.answering = answering;
        this.capture = capture;
    }

    /** Whether the last batch left the socket empty. */
    boolean isEmpty() {
        return isEmpty;
    }

    /**
     * Receives a batch.
     *
     * @return how often something came, one packet or several at once
     */
    int receive() {
        int calls = 0;
        int count = 0;
        isEmpty = false;
        while (count < batch.size() && !isEmpty) {
            if (datagrams.receive(socket)) {
                calls++;
                count += datagrams.count();
                dispatchAll();
            } else {
                isEmpty = true;
            }
        }
        batch.received(count);
        return calls;
    }

    private void dispatchAll() {
        boolean isLone = batch.isSingle() && datagrams.count() == 1;
        for (int i = 0; i < datagrams.count(); i++) {
            int length = datagrams.length(i);
            if (length <= Packet.CAPACITY && device.isPortUp()) {
                Memory.copy(datagrams.address(i), packet.address(), length);
                if (packet.parse(length)) {
                    dispatch(datagrams.source(), i, isLone);
                }
            }
        }
    }

    /**
     * Dispatches a packet.
     *
     * @param index its place among those that came at once, which is the identification that it is
     *     expected to have
     */
    private void dispatch(int source, int index, boolean isLone) {
        int length = packet.length();
        int port = datagrams.sourcePort();
        int identification = icrc.identification(packet.bytes(), length, source, port, device.address(), index);
        if (capture != null) {
            int whole = length + Packet.CHECK_BYTES;
            capture.received(packet.bytes(), whole, source, port, Math.max(0, identification));
        }
        if (identification < 0) {
            return;
        }
        SoftQueuePair qp = SoftQueuePair.withNumber(packet.target());
        if (qp == null || qp.device() != device || qp.isDatagram() != Opcode.isDatagram(packet.opcode())) {
            return;
        }
        if (qp.isDatagram()) {
            qp.wire().receiveDatagram(packet, source);
        } else if (Opcode.isResponse(packet.opcode())) {
            qp.sends().wire().receive(packet, source, System.nanoTime());
        } else {
            qp.wire().receive(packet, source);
            answering.add(qp, isLone && Opcode.isMessage(packet.opcode()));
        }
    }
}
