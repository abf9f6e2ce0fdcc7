package io.dxnet.softhca;

import io.dxnet.softhca.roce.Icrc;
import io.dxnet.softhca.roce.Packet;
import io.dxnet.softhca.roce.Wire;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * The way from a device to one address, used under the lock of the half of a
 * queue pair that owns it.
 */
final class WirePath implements Wire {
    private final SoftDevice device;
    private final WireEndpoint endpoint;
    private final int peer;
    private final InetSocketAddress socketAddress;
    private final Icrc icrc = new Icrc();

    WirePath(SoftDevice device, int peer) {
        this.device = device;
        this.endpoint = device.endpoint();
        this.peer = peer;
        this.socketAddress = WireAddress.socketAddress(peer);
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
        icrc.seal(packet.bytes(), packet.length(), device.address(), peer);
        int length = packet.length() + Packet.CHECK_BYTES;
        if (!device.faults().active() || isSentOnTime(packet.bytes(), length)) {
            endpoint.send(packet.bytes(), length, socketAddress);
        }
    }

    /** What the fault switches do to the next packet. */
    private boolean isSentOnTime(ByteBuffer bytes, int length) {
        SoftFaults faults = device.faults();
        if (faults.losesPacket()) {
            return false;
        }
        if (faults.duplicatesPacket()) {
            endpoint.send(bytes, length, socketAddress);
        }
        long delayNs = faults.nextDelayNs();
        if (delayNs == 0) {
            return true;
        }
        ByteBuffer late = ByteBuffer.allocate(length).put(0, bytes, 0, length);
        Fabric.schedule(() -> endpoint.send(late, length, socketAddress), delayNs);
        return false;
    }
}
