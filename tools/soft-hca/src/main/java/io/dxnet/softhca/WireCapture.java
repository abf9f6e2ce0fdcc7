package io.dxnet.softhca;

import io.dxnet.softhca.capture.PcapWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The packets of one device in a file that Wireshark and {@code ./dxnet sniff} read, where system
 * property {@value #FOLDER} names a folder: what the device passes to its socket, and what
 * comes from it. A file that cannot be written is reported once, and never hinders the device.
 */
final class WireCapture implements AutoCloseable {
    /** The property. */
    static final String FOLDER = "io.dxnet.softhca.capture";

    private final SoftDevice device;
    private final PcapWriter file;
    private volatile boolean failed;

    private WireCapture(SoftDevice device, PcapWriter file) {
        this.device = device;
        this.file = file;
    }

    /** The capture of a device, or null where none is wanted or none can be written. */
    static WireCapture open(SoftDevice device) {
        String folder = System.getProperty(FOLDER);
        if (folder == null) {
            return null;
        }
        try {
            return new WireCapture(device, new PcapWriter(Path.of(folder, device.name() + ".pcap")));
        } catch (IOException | RuntimeException e) {
            report(device, e);
            return null;
        }
    }

    private static void report(SoftDevice device, Exception e) {
        System.getLogger("io.dxnet.softhca")
                .log(System.Logger.Level.WARNING, "device " + device.name() + " writes no packets to a file", e);
    }

    /** Packets with their check sums are about to be sent. Any thread. */
    void sent(SendBatch packets, int destination) {
        for (int i = 0; i < packets.count(); i++) {
            ByteBuffer packet = packets.datagram(i);
            write(packet, packet.capacity(), device.address(), WireAddress.PORT, destination, i);
        }
    }

    /**
     * A packet came.
     *
     * @param identification of its IPv4 header, solved from its check sum; 0 where that is wrong
     */
    void received(ByteBuffer packet, int length, int source, int sourcePort, int identification) {
        write(packet, length, source, sourcePort, device.address(), identification);
    }

    private void write(ByteBuffer packet, int length, int source, int sourcePort, int destination, int identification) {
        if (failed) {
            return;
        }
        try {
            file.write(packet, length, source, sourcePort, destination, identification);
        } catch (IOException e) {
            if (!failed) {
                failed = true;
                report(device, e);
            }
        }
    }

    @Override
    public void close() {
        failed = true;
        try {
            file.close();
        } catch (IOException e) {
            report(device, e);
        }
    }
}
