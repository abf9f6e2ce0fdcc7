package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Response;
import io.dxnet.spi.MessageAccess;

/** What became of a write or an atomic, or of an attachment. */
final class StatusReply extends Response {
    private static final MessageAccess ACCESS = MessageAccess.get();

    private Status status = Status.OK;
    private long value;

    /** Of a request of that type: to be received, or to be written. */
    StatusReply(int type) {
        ACCESS.outgoing(this, type, 0);
    }

    /**
     * It is to be written.
     *
     * @param before of an atomic: what the 8 bytes were; otherwise 0
     */
    StatusReply with(Status known, long before) {
        status = known;
        value = before;
        return this;
    }

    Status status() {
        return status;
    }

    long value() {
        return value;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeByte(status.code());
        exporter.writeLong(value);
    }

    @Override
    public void importObject(Importer importer) {
        status = Status.of(importer.readByte());
        value = importer.readLong();
    }

    @Override
    public int sizeOfObject() {
        return 1 + Long.BYTES;
    }
}
