package io.dxnet.softhca.capture;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The invariant check sum of a captured packet, whose IP header is whole, over IPv4 or IPv6: CRC-32
 * of 8 bytes of ones and the packet from its IP header to its pad. What routers change counts as
 * ones: TOS, TTL and check sum of IPv4; class, flow label and hop limit of IPv6; the check sum of
 * UDP; byte 4 of the base header.
 */
final class CapturedIcrc {
    private static final int MASKED = 8;
    private static final byte ONES = (byte) 0xff;
    private static final int UDP_CHECK_SUM = 6;
    private static final int BASE_HEADER_VARIANT = 12;

    private CapturedIcrc() {}

    /**
     * The sum; its low byte is the first on the wire.
     *
     * @param packet of a network
     * @param ip where its IP header begins
     * @param udp where its UDP header begins
     * @param end behind the pad
     */
    static int sum(ByteBuffer packet, int ip, int udp, int end) {
        byte[] covered = new byte[MASKED + end - ip];
        for (int i = 0; i < MASKED; i++) {
            covered[i] = ONES;
        }
        packet.get(ip, covered, MASKED, end - ip);
        if (covered[MASKED] >> 4 == 4) {
            covered[MASKED + 1] = ONES;
            covered[MASKED + 8] = ONES;
            covered[MASKED + 10] = ONES;
            covered[MASKED + 11] = ONES;
        } else {
            covered[MASKED] |= 0x0f;
            covered[MASKED + 1] = ONES;
            covered[MASKED + 2] = ONES;
            covered[MASKED + 3] = ONES;
            covered[MASKED + 7] = ONES;
        }
        int at = MASKED + udp - ip;
        covered[at + UDP_CHECK_SUM] = ONES;
        covered[at + UDP_CHECK_SUM + 1] = ONES;
        covered[at + BASE_HEADER_VARIANT] = ONES;
        CRC32 crc = new CRC32();
        crc.update(covered);
        return (int) crc.getValue();
    }
}
