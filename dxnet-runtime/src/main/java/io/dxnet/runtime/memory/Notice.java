package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;

/** Ends an attachment: the peer detaches, or the owner has revoked the region. */
final class Notice extends Message {
    static final int DETACHED = 5;
    static final int REVOKED = 6;

    private long attachment;

    /** One to be received. */
    Notice() {}

    /** An outgoing one. */
    Notice(int destination, int type, long attachment) {
        super(destination, type, 0);
        this.attachment = attachment;
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
