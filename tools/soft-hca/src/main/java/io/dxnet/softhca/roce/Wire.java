package io.dxnet.softhca.roce;

/** Where a machine's packets are sent: the way to one peer. */
public interface Wire {
    /**
     * Sends a packet, or loses it: a machine does not rely on it. The packet is the caller's again
     * when the method returns.
     *
     * @param packet from base header to pad
     */
    void send(Packet packet);
}
