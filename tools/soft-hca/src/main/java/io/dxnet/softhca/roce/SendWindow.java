package io.dxnet.softhca.roce;

/**
 * How many packets may be in flight, so that the receiver's socket is not overrun: halved when
 * packets are lost, and one more when as many as it holds were acknowledged. It protects one
 * connection's receiver, not the network: no control of congestion is promised.
 */
final class SendWindow {
    /** The most packets of any connection. */
    static final int PACKETS_MAX = 512;

    private static final int PACKETS_MIN = 4;

    /** As many as a device receives before it answers. */
    private static final int ACKNOWLEDGE_EVERY_MAX = 32;

    /** What a small packet counts as in a socket, with some room for those of other connections. */
    private static final int SMALL_BYTES = 2048;

    private final int max;
    private int packets;
    private int acknowledged;

    /**
     * Creates an open window.
     *
     * @param pathMtu bytes of payload in a packet
     * @param bytes how many bytes the receiver's socket is expected to hold for this connection
     */
    SendWindow(int pathMtu, int bytes) {
        max = Math.clamp(bytes / Math.max(pathMtu, SMALL_BYTES), PACKETS_MIN, PACKETS_MAX);
        packets = max;
    }

    int packets() {
        return packets;
    }

    /** The distance between packets that request an acknowledgement while others follow. */
    int acknowledgeEvery() {
        return Math.clamp(packets / 4, 1, ACKNOWLEDGE_EVERY_MAX);
    }

    void onLoss() {
        packets = Math.max(PACKETS_MIN, packets / 2);
        acknowledged = 0;
    }

    void onProgress(long count) {
        if (packets < max) {
            acknowledged += (int) count;
            if (acknowledged >= packets) {
                acknowledged = 0;
                packets++;
            }
        }
    }
}
