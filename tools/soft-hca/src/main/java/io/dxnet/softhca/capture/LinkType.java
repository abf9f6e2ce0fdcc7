package io.dxnet.softhca.capture;

import java.nio.ByteBuffer;

/** What the first header of a captured packet is: finds the IP header behind it. */
final class LinkType {
    /** A packet that begins with its IP header, of version 4 or 6. */
    static final int RAW = 101;

    /** The type of the packet is none that is known here. */
    static final int UNKNOWN = -1;

    /** The packet carries something other than IP, or is too short. */
    static final int NOT_IP = -2;

    private static final int NULL = 0;
    private static final int ETHERNET = 1;
    private static final int LOOP = 108;
    private static final int COOKED = 113;
    private static final int IPV4 = 228;
    private static final int IPV6 = 229;
    private static final int COOKED_2 = 276;

    private static final int ETHERNET_TYPE = 12;
    private static final int COOKED_TYPE = 14;
    private static final int COOKED_BYTES = 16;
    private static final int COOKED_2_BYTES = 20;
    private static final int NULL_BYTES = 4;
    private static final int TAG_BYTES = 4;
    private static final int TYPE_IPV4 = 0x0800;
    private static final int TYPE_IPV6 = 0x86dd;

    private LinkType() {}

    /** Where the IP header begins, or {@link #UNKNOWN} or {@link #NOT_IP}. */
    static int ipOffset(int linkType, ByteBuffer packet) {
        return switch (linkType) {
            case RAW, IPV4, IPV6 -> 0;
            case NULL, LOOP -> NULL_BYTES;
            case ETHERNET -> behindType(packet, ETHERNET_TYPE);
            case COOKED -> isIp(packet, COOKED_TYPE) ? COOKED_BYTES : NOT_IP;
            case COOKED_2 -> isIp(packet, 0) ? COOKED_2_BYTES : NOT_IP;
            default -> UNKNOWN;
        };
    }

    private static boolean isIp(ByteBuffer packet, int at) {
        int type = type(packet, at);
        return type == TYPE_IPV4 || type == TYPE_IPV6;
    }

    private static int type(ByteBuffer packet, int at) {
        return at + Short.BYTES <= packet.limit() ? Short.toUnsignedInt(packet.getShort(at)) : UNKNOWN;
    }

    /** Behind the type of Ethernet, which may follow tags of virtual networks. */
    private static int behindType(ByteBuffer packet, int first) {
        int at = first;
        for (int type = type(packet, at); type == 0x8100 || type == 0x88a8; type = type(packet, at)) {
            at += TAG_BYTES;
        }
        return isIp(packet, at) ? at + Short.BYTES : NOT_IP;
    }
}
