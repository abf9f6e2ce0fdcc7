package io.dxnet.softhca;

import io.dxnet.softhca.roce.Icrc;
import io.dxnet.softhca.roce.Packet;
import io.dxnet.softhca.roce.Wire;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The way from a device to one address, used under the lock of the half of a
 * queue pair that owns it. Packets of equal size, the last of them perhaps smaller, wait for the
 * flush and are sent together.
 */
final class WirePath implements Wire {
    private final SoftDevice device;
    private final WireEndpoint endpoint;
    private final int peer;
    private final Icrc icrc = new Icrc();

    /** What the next flush sends, or null. */
    private SendBatch batch;

    private boolean sendsBatches;

    WirePath(SoftDevice device, int peer) {
        this.device = device;
        this.endpoint = device.endpoint();
        this.peer = peer;
        this.sendsBatches = endpoint.socket().sendsBatches();
    }

    int peer() {
        return peer;
    }

    WireEndpoint endpoint() {
        return endpoint;
    }

    @Override
    public void send(Packet packet) {
        if (!device.isPortUp()) {
            return;
        }
        int length = packet.length() + Packet.CHECK_BYTES;
        boolean hasFaults = device.faults().active();
        if (batch != null && (hasFaults || !sendsBatches || !batch.accepts(length))) {
            flush();
        }
        if (batch == null) {
            batch = endpoint.batches().acquire();
        }
        seal(packet.bytes(), packet.length(), batch.count());
        if (!hasFaults || isSentOnTime(packet.address(), length)) {
            batch.add(packet.address(), length);
        }
    }

    /** The kernel counts the identifications of packets that it receives as one. */
    private void seal(ByteBuffer bytes, int length, int identification) {
        icrc.seal(bytes, length, device.address(), peer, identification);
    }

    /** Whether packets wait for the flush, and one of so many bytes can be sent with them. */
    boolean hasRoomBehind(int length) {
        return sendsBatches && batch != null && batch.count() > 0 && batch.accepts(length);
    }

    /** Sends the packets that wait. */
    void flush() {
        if (batch == null) {
            return;
        }
        SendBatch packets = batch;
        batch = null;
        if (packets.count() > 0 && !endpoint.send(packets, peer) && packets.count() > 1) {
            sendsBatches = false;
            sendOneByOne(packets);
        }
        endpoint.batches().release(packets);
    }

    private void sendOneByOne(SendBatch packets) {
        for (int i = 0; i < packets.count(); i++) {
            ByteBuffer packet = packets.datagram(i);
            int length = packet.capacity();
            seal(packet, length - Packet.CHECK_BYTES, 0);
            sendAlone(MemorySegment.ofBuffer(packet).address(), length);
        }
    }

    private void sendAlone(long packet, int length) {
        SendBatch alone = endpoint.batches().acquire();
        alone.add(packet, length);
        endpoint.send(alone, peer);
        endpoint.batches().release(alone);
    }

    /** What the fault switches do to the next packet. */
    private boolean isSentOnTime(long packet, int length) {
        SoftFaults faults = device.faults();
        if (faults.losesPacket()) {
            return false;
        }
        if (faults.duplicatesPacket()) {
            sendAlone(packet, length);
        }
        long delayNs = faults.nextDelayNs();
        if (delayNs == 0) {
            return true;
        }
        SendBatch late = new SendBatch(length);
        late.add(packet, length);
        Fabric.schedule(() -> endpoint.send(late, peer), delayNs);
        return false;
    }
}
