package io.dxnet.softhca.capture;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * Writes RoCEv2 packets to a file of pcap, with headers of IPv4 and UDP as they were on the wire.
 * Each is in the file when the call returns. Any thread.
 */
public final class PcapWriter implements AutoCloseable {
    private static final int HEADER_BYTES = 24;
    private static final int RECORD_BYTES = 16;
    private static final int IPV4_BYTES = 20;
    private static final int UDP_BYTES = 8;
    private static final int PORT = 4791;
    private static final int LONGEST = 1 << 16;
    private static final int DO_NOT_FRAGMENT = 0x4000;
    private static final int TTL_AND_UDP = 64 << 8 | 17;

    private final FileChannel file;
    private final ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES + LONGEST);

    /**
     * Creates the file, or writes it anew.
     *
     * @param path its place
     * @throws IOException if that fails
     */
    public PcapWriter(Path path) throws IOException {
        file = FileChannel.open(
                path, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE);
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        header.putInt(PcapReader.NANOSECONDS)
                .putShort((short) 2)
                .putShort((short) 4)
                .putLong(0);
        header.putInt(LONGEST).putInt(LinkType.RAW).flip();
        file.write(header);
    }

    /**
     * Writes a packet.
     *
     * @param packet begins at 0; its position and limit stay
     * @param length from base header to check sum
     * @param source the sender's IPv4 address
     * @param sourcePort the sender's UDP port
     * @param destination the receiver's IPv4 address
     * @param identification of the IPv4 header
     * @throws IOException if that fails
     */
    public synchronized void write(
            ByteBuffer packet, int length, int source, int sourcePort, int destination, int identification)
            throws IOException {
        Instant now = Instant.now();
        int bytes = IPV4_BYTES + UDP_BYTES + length;
        record.clear();
        record.putInt((int) now.getEpochSecond())
                .putInt(now.getNano())
                .putInt(bytes)
                .putInt(bytes);
        record.putShort((short) 0x4500).putShort((short) bytes).putShort((short) identification);
        record.putShort((short) DO_NOT_FRAGMENT).putShort((short) TTL_AND_UDP).putShort((short) 0);
        record.putInt(source).putInt(destination);
        record.putShort(RECORD_BYTES + 10, (short) checkSum());
        record.putShort((short) sourcePort).putShort((short) PORT);
        record.putShort((short) (UDP_BYTES + length)).putShort((short) 0);
        record.put(record.position(), packet, 0, length).position(record.position() + length);
        record.flip();
        while (record.hasRemaining()) {
            file.write(record);
        }
    }

    /** Of the IPv4 header, where the sum itself is 0. */
    private int checkSum() {
        int sum = 0;
        for (int at = 0; at < IPV4_BYTES; at += Short.BYTES) {
            sum += Short.toUnsignedInt(record.getShort(RECORD_BYTES + at));
        }
        sum = (sum & 0xffff) + (sum >>> 16);
        return ~(sum + (sum >>> 16));
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
