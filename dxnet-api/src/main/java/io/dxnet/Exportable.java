package io.dxnet;

/**
 * An object that can be written to a node's outgoing stream (DXNet §V). A class whose objects also
 * arrive implements {@link Importable} as the mirror image: the same items, in the same order.
 */
public interface Exportable {
    /**
     * Writes this object's items. Called once per destination, top to bottom, on the
     * thread that sends. The exporter may wait inside (for free ring space, when the
     * message is larger than half the ring), but it never calls this method again for the same
     * message, so side effects are allowed.
     *
     * <p>Must write exactly {@link #sizeOfObject()} bytes: a message that writes more or fewer is
     * not delivered, and the sender gets a {@link MessagingUsageException}.
     *
     * @param exporter where to write; valid during this call only
     */
    void exportObject(Exporter exporter);

    /**
     * The number of bytes that {@link #exportObject} writes. {@link ObjectSize} computes the size
     * of the items whose size is not fixed.
     *
     * @return bytes, 0 to {@link DXNetConfig#maxMessageBytes()}
     */
    int sizeOfObject();
}
