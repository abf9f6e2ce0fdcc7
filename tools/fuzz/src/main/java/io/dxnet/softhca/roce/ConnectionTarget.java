package io.dxnet.softhca.roce;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A live RoCEv2 connection whose peer is hostile: packets with a right check sum from the right
 * address. Each is two bytes of length and the packet without its check sum; its sequence number
 * is the distance from the right one, so that packets are executed and not only dropped.
 */
public final class ConnectionTarget implements FuzzTarget {
    private static final int MTU = 256;
    private static final int REQUESTS = 9;

    private final Packet arriving = new Packet();

    /** Creates the target. */
    public ConnectionTarget() {}

    @Override
    public String name() {
        return "roce-connection";
    }

    @Override
    public List<byte[]> seeds() {
        ByteBuffer answers = ByteBuffer.allocate(1024);
        ByteBuffer requests = ByteBuffer.allocate(4096);
        Packet packet = new Packet();
        packet.begin(Opcode.ACKNOWLEDGE, false, 1, false, 0);
        AethDescriptor.write(packet.bytes(), AethDescriptor.ACKNOWLEDGED, 1);
        append(answers, packet);
        packet.begin(Opcode.ACKNOWLEDGE, false, 1, false, -1);
        AethDescriptor.write(packet.bytes(), AethDescriptor.MISSING, 1);
        append(answers, packet);
        for (int opcode : new int[] {
            Opcode.SEND_FIRST, Opcode.SEND_LAST_IMM, Opcode.WRITE_FIRST, Opcode.WRITE_LAST, Opcode.SEND_ONLY
        }) {
            packet.begin(opcode, false, 1, true, 0);
            if (Opcode.hasReth(opcode)) {
                RethDescriptor.write(packet.bytes(), 0, HostileEnd.KEY, 2 * MTU);
            }
            packet.setPayload(MTU);
            append(requests, packet);
        }
        packet.begin(Opcode.SEND_ONLY_INV, false, 1, true, 0);
        packet.setInvalidateKey(HostileEnd.KEY);
        packet.setPayload(16);
        append(requests, packet);
        packet.begin(Opcode.READ_REQUEST, false, 1, true, 0);
        RethDescriptor.write(packet.bytes(), 16, HostileEnd.KEY, 1000);
        append(requests, packet);
        packet.begin(Opcode.FETCH_ADD, false, 1, true, 0);
        AtomicDescriptor.write(packet.bytes(), 8, HostileEnd.KEY, 1, 0);
        append(requests, packet);
        // The same again, and the read, which came four numbers before.
        packet.begin(Opcode.FETCH_ADD, false, 1, true, -1);
        append(requests, packet);
        packet.begin(Opcode.READ_REQUEST, false, 1, true, -5);
        RethDescriptor.write(packet.bytes(), 16, HostileEnd.KEY, 1000);
        append(requests, packet);
        return List.of(filled(answers), filled(requests));
    }

    private static void append(ByteBuffer into, Packet packet) {
        into.putShort((short) packet.length()).put(packet.bytes().slice(0, packet.length()));
    }

    private static byte[] filled(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.position()];
        buffer.get(0, bytes);
        return bytes;
    }

    @Override
    public void run(byte[] input) {
        HostileEnd end = new HostileEnd(REQUESTS);
        int[] sent = {0};
        int[] lastRequest = {0};
        Wire wire = packet -> {
            sent[0]++;
            if (!Opcode.isResponse(packet.opcode())) {
                lastRequest[0] = packet.psn();
            }
        };
        RequesterMachine requester =
                new RequesterMachine(end, wire, new RequesterSettings(1, MTU, 0, 2, 128 << 10, 1000, 3, 3), 0);
        ResponderMachine responder = new ResponderMachine(end, wire, new ResponderSettings(1, MTU, 0, 2));
        long now = 0;
        requester.advance(now);
        ByteBuffer left = ByteBuffer.wrap(input);
        int packets = 0;
        while (left.remaining() >= 2) {
            int length = Math.min(Short.toUnsignedInt(left.getShort()), left.remaining());
            byte[] bytes = new byte[Math.min(length, Packet.CAPACITY - Packet.CHECK_BYTES)];
            left.get(bytes).position(Math.min(left.limit(), left.position() + length - bytes.length));
            arriving.bytes().put(0, bytes);
            packets++;
            if (arriving.parse(bytes.length + Packet.CHECK_BYTES) && !Opcode.isDatagram(arriving.opcode())) {
                boolean isAnswer = Opcode.isResponse(arriving.opcode());
                int right = isAnswer ? lastRequest[0] : Psn.onWire(responder.expected());
                BthDescriptor.setPsn(arriving.bytes(), right + arriving.psn());
                if (isAnswer) {
                    requester.receive(arriving, ++now);
                } else {
                    responder.receive(arriving);
                    responder.answer(16);
                }
            }
        }
        // A packet makes a connection send what its window and its batch of answers hold, no more.
        if (sent[0] > 100 * (packets + 1)) {
            throw new AssertionError(packets + " packets made it send " + sent[0]);
        }
        for (int i = 0; requester.dueNs() != RequesterMachine.NEVER; i++) {
            requester.onTime(requester.dueNs());
            if (i > 100) {
                throw new AssertionError("no end without answers");
            }
        }
        end.verify();
    }

    /** Two machines and the memory of one end. */
    @Override
    public long allocationBytesMax(int inputBytes) {
        return (1L << 20) + 128L * inputBytes;
    }
}
