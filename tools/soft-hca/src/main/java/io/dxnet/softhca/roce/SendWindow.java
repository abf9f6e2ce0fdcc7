package io.dxnet.softhca.roce;

/**
 * How many packets may be in flight, so that the receiver's socket is not overrun: halved when
 * packets are lost, and one more when as many as it holds were acknowledged. It protects one
 * connection's receiver, not the network: no control of congestion is promised.
 */
final class SendWindow {
    private static final int PACKETS_MAX = 64;
    private static final int BYTES_MAX = 128 << 10;
    private static final int PACKETS_MIN = 4;

    private final int max;
    private int packets;
    private int acknowledged;

    SendWindow(int pathMtu) {
        max = Math.min(PACKETS_MAX, BYTES_MAX / pathMtu);
        packets = max;
    }

    int packets() {
        return packets;
    }

    /** The distance between packets that request an acknowledgement inside a message. */
    int acknowledgeEvery() {
        return Math.max(1, packets / 4);
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
