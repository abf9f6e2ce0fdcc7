package io.dxnet.softhca.capture;

import java.io.IOException;
import java.io.InputStream;

/** Reads the packets of a capture, one after the other. One thread uses it. */
public abstract class CaptureReader {
    /** More than any network's packet: longer ones show that a file is damaged. */
    static final int FRAME_MAX = 1 << 18;

    CaptureReader() {}

    /**
     * Finds the format by the first bytes.
     *
     * @param in the capture; the caller closes it
     * @return its reader
     * @throws CaptureException if it is neither pcap nor pcapng
     * @throws IOException if it cannot be read
     */
    public static CaptureReader open(InputStream in) throws IOException {
        CaptureInput input = new CaptureInput(in);
        int magic = input.next(Integer.BYTES).getInt();
        if (magic == PcapngReader.SECTION) {
            return new PcapngReader(input);
        }
        return new PcapReader(input, magic);
    }

    /**
     * {@return the next packet, or null at the end}
     *
     * @throws CaptureException if the capture is damaged or ends within a packet
     * @throws IOException if it cannot be read
     */
    public abstract Frame next() throws IOException;
}
