package io.dxnet.runtime.memory;

import io.dxnet.DXNetException;
import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.NetClosedException;
import io.dxnet.runtime.send.Connections;
import io.dxnet.runtime.wire.HeaderDescriptor;

/** Ends an attachment: the peer detaches, or the owner has revoked the region. */
final class Notice extends Message {
    static final int DETACHED = 5;
    static final int REVOKED = 6;

    private static final int CONTROL = HeaderDescriptor.MESSAGE | HeaderDescriptor.SERVICE;

    private long attachment;

    /** One to be received. */
    Notice() {}

    /** An outgoing one. */
    Notice(int destination, int type, long attachment) {
        super(destination, type, 0);
        this.attachment = attachment;
    }

    /**
     * Sends one, where the node is connected and has room: no thread waits for a connection to end
     * an attachment.
     *
     * @return whether it was sent; else the other node does not learn it by this one
     */
    static boolean trySend(Services services, int destination, int type, long attachment) {
        Connections connections = services.connections();
        if (connections.isClosing() || connections.connections(destination).isEmpty()) {
            return false;
        }
        try {
            return services.sender().trySend(new Notice(destination, type, attachment), destination, CONTROL);
        } catch (DXNetException | NetClosedException e) {
            return false; // the connection or this node ends
        }
    }

    /** Sends one, and waits for connection and room as a request does. */
    static void send(Services services, int destination, int type, long attachment) throws DXNetException {
        services.sender().send(new Notice(destination, type, attachment), destination, CONTROL, 0, null);
    }

    long attachment() {
        return attachment;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeLong(attachment);
    }

    @Override
    public void importObject(Importer importer) {
        attachment = importer.readLong();
    }

    @Override
    public int sizeOfObject() {
        return Long.BYTES;
    }
}
