package io.dxnet.softhca.capture;

import io.dxnet.softhca.roce.Opcode;
import io.dxnet.softhca.roce.Packet;
import io.dxnet.softhca.roce.PacketText;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * A captured packet of RoCEv2 in one line: when, from where to where, what it is, and whether its
 * check sum is right. Whatever the bytes are, the outcome is a line. One thread uses it.
 */
public final class FrameDecoder {
    /** What a frame was. */
    public enum Outcome {
        /** A packet of RoCEv2 with a right check sum, or one that was not captured. */
        ROCE,
        /** A packet of RoCEv2 that is damaged: its line shows how. */
        WRONG,
        /** Part of a datagram: only the first shows what it belongs to. */
        FRAGMENT,
        /** Something else than RoCEv2: no line. */
        OTHER,
        /** Of a network whose headers are not known here: no line. */
        UNKNOWN_LINK
    }

    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);
    private static final long SECOND_NS = 1_000_000_000;
    private static final int PORT = 4791;
    private static final int PROTOCOL_UDP = 17;
    private static final int IPV4_BYTES = 20;
    private static final int IPV6_BYTES = 40;
    private static final int UDP_BYTES = 8;
    private static final int FRAGMENT_OFFSET = 0x1fff;
    private static final int MORE_FRAGMENTS = 0x2000;
    private static final int IPV6_FRAGMENT = 44;
    private static final int BASE_BYTES = 12;

    private final Packet packet = new Packet();
    private final StringBuilder text = new StringBuilder();
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private int ip;
    private int udp;

    /** Behind the last byte of the datagram, by its headers; perhaps it was not captured. */
    private int end;

    /** Creates a decoder. */
    public FrameDecoder() {}

    /**
     * Decodes a packet; {@link #line} is its text then.
     *
     * @param frame the packet
     * @return what it is
     */
    public Outcome decode(Frame frame) {
        text.setLength(0);
        bytes = ByteBuffer.wrap(frame.bytes());
        ip = LinkType.ipOffset(frame.linkType(), bytes);
        if (ip == LinkType.UNKNOWN) {
            return Outcome.UNKNOWN_LINK;
        }
        if (ip < 0 || ip >= bytes.limit()) {
            return Outcome.OTHER;
        }
        return switch (bytes.get(ip) >> 4 & 0xf) {
            case 4 -> decodeIpv4(frame);
            case 6 -> decodeIpv6(frame);
            default -> Outcome.OTHER;
        };
    }

    /**
     * {@return the last packet in one line, empty where there is none}
     */
    public String line() {
        return text.toString();
    }

    private Outcome decodeIpv4(Frame frame) {
        int headerBytes = (bytes.get(ip) & 0xf) * Integer.BYTES;
        boolean isWhole = headerBytes >= IPV4_BYTES && ip + headerBytes <= bytes.limit();
        if (!isWhole || bytes.get(ip + 9) != PROTOCOL_UDP) {
            return Outcome.OTHER;
        }
        udp = ip + headerBytes;
        end = ip + Short.toUnsignedInt(bytes.getShort(ip + 2));
        int fragment = bytes.getShort(ip + 6) & (FRAGMENT_OFFSET | MORE_FRAGMENTS);
        return decodeUdp(frame, ip + 12, Integer.BYTES, fragment);
    }

    private Outcome decodeIpv6(Frame frame) {
        if (ip + IPV6_BYTES > bytes.limit()) {
            return Outcome.OTHER;
        }
        int next = bytes.get(ip + 6);
        udp = ip + IPV6_BYTES;
        end = udp + Short.toUnsignedInt(bytes.getShort(ip + 4));
        int fragment = 0;
        if (next == IPV6_FRAGMENT && udp + UDP_BYTES <= bytes.limit()) {
            int field = bytes.getShort(udp + 2);
            fragment = field >> 3 & FRAGMENT_OFFSET | ((field & 1) != 0 ? MORE_FRAGMENTS : 0);
            next = bytes.get(udp);
            udp += UDP_BYTES;
        }
        return next == PROTOCOL_UDP ? decodeUdp(frame, ip + 8, Long.BYTES * 2, fragment) : Outcome.OTHER;
    }

    private Outcome decodeUdp(Frame frame, int addresses, int addressBytes, int fragment) {
        boolean isLater = (fragment & FRAGMENT_OFFSET) != 0;
        if (!isLater && (udp + UDP_BYTES > bytes.limit() || !isRocePort())) {
            return Outcome.OTHER;
        }
        appendTime(frame.timeNs());
        appendAddress(addresses, addressBytes);
        text.append(" > ");
        appendAddress(addresses + addressBytes, addressBytes);
        text.append("  ");
        if (fragment != 0) {
            text.append(isLater ? "fragment of some datagram of UDP" : "fragment of a RoCEv2 packet")
                    .append(" at byte ")
                    .append(Long.BYTES * (fragment & FRAGMENT_OFFSET))
                    .append(", not decoded");
            return Outcome.FRAGMENT;
        }
        end = Math.min(end, udp + Short.toUnsignedInt(bytes.getShort(udp + 4)));
        return decodeRoce() ? Outcome.ROCE : Outcome.WRONG;
    }

    private boolean isRocePort() {
        return Short.toUnsignedInt(bytes.getShort(udp + 2)) == PORT;
    }

    /** Appends the packet; whether nothing is wrong with it. */
    private boolean decodeRoce() {
        int base = udp + UDP_BYTES;
        int length = end - base;
        int captured = Math.min(bytes.limit(), end) - base;
        if (length < BASE_BYTES || length > Packet.CAPACITY) {
            text.append("no packet: ").append(Math.max(0, length)).append(" bytes of UDP");
            return false;
        }
        if (captured < BASE_BYTES) {
            text.append("captured ")
                    .append(Math.max(0, captured))
                    .append(" of ")
                    .append(length);
            text.append(" bytes, not decoded");
            return false;
        }
        // What was not captured counts as zeros, behind headers that were.
        for (int at = captured; at < length; at++) {
            packet.bytes().put(at, (byte) 0);
        }
        packet.bytes().put(0, bytes, base, captured);
        boolean isKnown = Opcode.headerBytes(packet.opcode()) >= 0;
        boolean isComplete = isKnown && captured >= Opcode.headerBytes(packet.opcode());
        boolean isPacket = isComplete && packet.decode(length);
        if (isPacket) {
            text.append(PacketText.of(packet));
        } else {
            text.append(PacketText.ofBase(packet));
            text.append(isKnown ? ", its headers and length do not fit" : ", not decoded");
        }
        boolean isRight = true;
        if (captured < length) {
            text.append(", captured ")
                    .append(captured)
                    .append(" of ")
                    .append(length)
                    .append(" bytes");
        } else {
            isRight = isSumRight();
            text.append(isRight ? ", icrc right" : ", icrc WRONG");
        }
        return isRight && (isPacket || !isKnown);
    }

    private boolean isSumRight() {
        int sumAt = end - Packet.CHECK_BYTES;
        return Integer.reverseBytes(bytes.getInt(sumAt)) == CapturedIcrc.sum(bytes, ip, udp, sumAt);
    }

    private void appendTime(long timeNs) {
        long seconds = Math.floorDiv(timeNs, SECOND_NS);
        TIME.formatTo(Instant.ofEpochSecond(seconds, Math.floorMod(timeNs, SECOND_NS)), text);
        text.append(' ');
    }

    private void appendAddress(int at, int count) {
        byte[] address = new byte[count];
        bytes.get(at, address);
        try {
            text.append(InetAddress.getByAddress(address).getHostAddress());
        } catch (UnknownHostException e) {
            throw new AssertionError("4 or 16 bytes are an address", e);
        }
    }
}
