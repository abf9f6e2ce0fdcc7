package io.dxnet.softhca.capture;

import io.dxnet.tools.fuzz.FuzzTarget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.HexFormat;
import java.util.List;

/** Captures of packets in both formats, and the lines of their packets. */
public final class CaptureTarget implements FuzzTarget {
    private static final String PACKET = "450000500000400040110000"
            + "0a4d00090a4d000112b712b7003c0000"
            + "0470ffff000000128000010068656c6c6f2066726f6d2061204a61766120446174616772616d4368616e6e656c000000aed44d91";
    private static final String ETHERNET = "0000000000000000000000000800" + PACKET;

    private final FrameDecoder decoder = new FrameDecoder();

    /** Creates the target. */
    public CaptureTarget() {}

    @Override
    public String name() {
        return "roce-capture";
    }

    @Override
    public List<byte[]> seeds() {
        return List.of(
                HexFormat.of()
                        .parseHex("a1b23c4d00020004000000000000000000010000000000650000000100000002"
                                + "0000005000000050" + PACKET),
                HexFormat.of()
                        .parseHex("d4c3b2a1020004000000000000000000000001000100000001000000020000005e0000005e000000"
                                + ETHERNET),
                HexFormat.of()
                        .parseHex("0a0d0d0a0000001c1a2b3c4d00010000ffffffffffffffff0000001c"
                                + "000000010000002000650000000000000009000109000000" + "0000000000000020"
                                + "0000000600000070000000000000000000000001" + "0000005000000050" + PACKET + "00000070"
                                + "000000030000006000000050" + PACKET + "00000060"));
    }

    @Override
    public void run(byte[] input) throws IOException {
        try {
            CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(input));
            for (Frame frame = reader.next(); frame != null; frame = reader.next()) {
                FrameDecoder.Outcome outcome = decoder.decode(frame);
                boolean hasLine = outcome != FrameDecoder.Outcome.OTHER && outcome != FrameDecoder.Outcome.UNKNOWN_LINK;
                if (decoder.line().isEmpty() == hasLine || decoder.line().indexOf('\n') >= 0) {
                    throw new AssertionError(outcome + ": " + decoder.line());
                }
            }
        } catch (CaptureException e) {
            if (e.getMessage() == null) {
                throw new AssertionError("a damaged capture without a reason", e);
            }
        }
    }

    /** Each packet is copied, and its line is built. */
    @Override
    public long allocationBytesMax(int inputBytes) {
        return (1L << 20) + 1024L * inputBytes;
    }
}
