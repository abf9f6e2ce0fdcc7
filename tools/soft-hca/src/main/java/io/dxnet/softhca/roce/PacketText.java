package io.dxnet.softhca.roce;

import java.nio.ByteBuffer;

/** A packet in one line, for people. */
public final class PacketText {
    private PacketText() {}

    /**
     * {@return what a packet is, without addresses of the network}
     *
     * @param packet one that was built, or of which {@link Packet#decode} holds
     */
    public static String of(Packet packet) {
        ByteBuffer bytes = packet.bytes();
        int opcode = packet.opcode();
        StringBuilder text = new StringBuilder();
        if (opcode == Opcode.ACKNOWLEDGE) {
            text.append(acknowledgement(AethDescriptor.syndrome(bytes)));
        } else {
            text.append(Opcode.name(opcode));
        }
        appendBase(text, packet);
        if (Opcode.hasAeth(opcode)) {
            appendAcknowledgement(text, bytes, opcode);
        }
        if (Opcode.hasReth(opcode)) {
            text.append(", address 0x")
                    .append(Long.toHexString(RethDescriptor.address(bytes)))
                    .append(", key 0x")
                    .append(Integer.toHexString(RethDescriptor.key(bytes)))
                    .append(", length ")
                    .append(RethDescriptor.length(bytes));
        } else if (opcode == Opcode.COMPARE_SWAP || opcode == Opcode.FETCH_ADD) {
            text.append(", address 0x")
                    .append(Long.toHexString(AtomicDescriptor.address(bytes)))
                    .append(", key 0x")
                    .append(Integer.toHexString(AtomicDescriptor.key(bytes)))
                    .append(opcode == Opcode.FETCH_ADD ? ", add " : ", swap ")
                    .append(AtomicDescriptor.swapOrAdd(bytes));
            if (opcode == Opcode.COMPARE_SWAP) {
                text.append(", compare ").append(AtomicDescriptor.compare(bytes));
            }
        } else if (opcode == Opcode.ATOMIC_ACKNOWLEDGE) {
            text.append(", found ").append(AtomicAckDescriptor.value(bytes));
        } else if (Opcode.isDatagram(opcode)) {
            text.append(", from qp ")
                    .append(packet.source())
                    .append(", qkey 0x")
                    .append(Integer.toHexString(packet.queueKey()));
        }
        if (Opcode.hasImmediate(opcode)) {
            text.append(", immediate 0x").append(Integer.toHexString(packet.immediate()));
        }
        if (Opcode.hasInvalidate(opcode)) {
            text.append(", invalidates key 0x").append(Integer.toHexString(packet.invalidateKey()));
        }
        if (packet.payloadBytes() > 0) {
            text.append(", ").append(packet.payloadBytes()).append(" bytes");
        }
        if (packet.isSolicited()) {
            text.append(", solicited");
        }
        return text.append(packet.wantsAcknowledgement() ? ", wants ack" : "").toString();
    }

    /**
     * {@return what the base header alone tells, for a packet whose others are unknown or cut}
     *
     * @param packet one with at least the bytes of a base header
     */
    public static String ofBase(Packet packet) {
        StringBuilder text = new StringBuilder(Opcode.name(packet.opcode()));
        appendBase(text, packet);
        return text.append(packet.wantsAcknowledgement() ? ", wants ack" : "").toString();
    }

    private static void appendBase(StringBuilder text, Packet packet) {
        text.append(", qp ").append(packet.target()).append(", psn ").append(packet.psn());
        if (packet.partition() != BthDescriptor.DEFAULT_PARTITION) {
            text.append(", pkey 0x").append(Integer.toHexString(packet.partition()));
        }
        if (BthDescriptor.version(packet.bytes()) != 0) {
            text.append(", version ").append(BthDescriptor.version(packet.bytes()));
        }
    }

    private static void appendAcknowledgement(StringBuilder text, ByteBuffer bytes, int opcode) {
        int syndrome = AethDescriptor.syndrome(bytes);
        if (opcode != Opcode.ACKNOWLEDGE && syndrome != AethDescriptor.ACKNOWLEDGED) {
            text.append(", ").append(acknowledgement(syndrome));
        }
        if (AethDescriptor.isAcknowledged(syndrome) && syndrome != AethDescriptor.ACKNOWLEDGED) {
            text.append(", credit code ").append(AethDescriptor.value(syndrome));
        }
        text.append(", msn ").append(AethDescriptor.messages(bytes));
    }

    private static String acknowledgement(int syndrome) {
        if (AethDescriptor.isAcknowledged(syndrome)) {
            return "ACK";
        }
        if (AethDescriptor.isNotReady(syndrome)) {
            return "RNR NAK (wait " + RetryTimes.notReadyNs(AethDescriptor.value(syndrome)) / 1000 + " µs)";
        }
        return switch (syndrome) {
            case AethDescriptor.MISSING -> "NAK missing packet";
            case AethDescriptor.INVALID_REQUEST -> "NAK invalid request";
            case AethDescriptor.ACCESS_ERROR -> "NAK access error";
            case AethDescriptor.OPERATION_ERROR -> "NAK operation error";
            default -> "AETH 0x" + Integer.toHexString(syndrome);
        };
    }
}
