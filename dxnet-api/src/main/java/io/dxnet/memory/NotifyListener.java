package io.dxnet.memory;

/** Receives the notifications of {@link RemoteRegion#writeAndNotify}. */
@FunctionalInterface
public interface NotifyListener {
    /**
     * Receives one notification, when its bytes are in the segment. Runs on a message handler
     * thread, or on a thread of the transport where its hardware writes; those of one peer come in
     * the order of its operations. It must not wait for long: what follows from that peer waits.
     *
     * @param from the node that wrote
     * @param offset of what it wrote in the region, bytes
     * @param length of what it wrote, bytes
     * @param value as passed to {@link RemoteRegion#writeAndNotify}
     */
    void onNotify(int from, long offset, long length, int value);
}
