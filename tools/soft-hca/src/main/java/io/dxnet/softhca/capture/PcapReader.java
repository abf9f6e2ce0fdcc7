package io.dxnet.softhca.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The format of tcpdump. All numbers are in the order of the first one.
 *
 * <pre>
 *  file:   magic a1b2c3d4 (µs) or a1b23c4d (ns), version 2.4, 8 bytes 0, longest packet, link type
 *  packet: seconds, µs or ns, captured bytes, original bytes | the captured bytes
 * </pre>
 */
final class PcapReader extends CaptureReader {
    /** Times in microseconds. */
    static final int MICROSECONDS = 0xa1b2c3d4;

    /** Times in nanoseconds. */
    static final int NANOSECONDS = 0xa1b23c4d;

    /** Of the file's header behind the magic number. */
    private static final int HEADER_BYTES = 20;

    private static final int LINK_TYPE = 16;
    private static final int LINK_TYPE_MASK = 0xffff;
    private static final int RECORD_BYTES = 16;
    private static final long SECOND_NS = 1_000_000_000;

    private final CaptureInput in;
    private final long fractionNs;
    private final int linkType;

    PcapReader(CaptureInput in, int magic) throws IOException {
        this.in = in;
        boolean isSwapped = isMagic(Integer.reverseBytes(magic));
        if (!isSwapped && !isMagic(magic)) {
            throw new CaptureException("neither pcap nor pcapng: the first bytes are %08x".formatted(magic));
        }
        in.order(isSwapped ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int value = isSwapped ? Integer.reverseBytes(magic) : magic;
        fractionNs = value == NANOSECONDS ? 1 : 1000;
        // The upper bits describe check sums at the end of Ethernet's frames.
        linkType = in.next(HEADER_BYTES).getInt(LINK_TYPE) & LINK_TYPE_MASK;
    }

    private static boolean isMagic(int value) {
        return value == MICROSECONDS || value == NANOSECONDS;
    }

    @Override
    public Frame next() throws IOException {
        long at = in.position();
        ByteBuffer header = in.nextOrEnd(RECORD_BYTES);
        if (header == null) {
            return null;
        }
        long seconds = Integer.toUnsignedLong(header.getInt());
        long fraction = Integer.toUnsignedLong(header.getInt());
        int captured = header.getInt();
        int original = header.getInt();
        if (captured < 0 || captured > FRAME_MAX) {
            throw new CaptureException("the capture is damaged: the packet at byte " + at + " has "
                    + Integer.toUnsignedString(captured) + " bytes");
        }
        byte[] bytes = captured == 0 ? new byte[0] : in.next(captured).array();
        return new Frame(seconds * SECOND_NS + fraction * fractionNs, linkType, bytes, original);
    }
}
