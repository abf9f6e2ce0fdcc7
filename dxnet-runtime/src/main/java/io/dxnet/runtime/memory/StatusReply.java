package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Response;
import io.dxnet.runtime.request.ServiceRequest;

/** What became of a write or an atomic, or of an attachment. */
final class StatusReply extends Response {
    private Status status = Status.OK;
    private long value;

    /** One to be received. */
    StatusReply() {}

    /**
     * An outgoing one.
     *
     * @param value of an atomic: what the 8 bytes were; otherwise 0
     */
    StatusReply(ServiceRequest<StatusReply> request, Status status, long value) {
        super(request, request.type(), 0);
        this.status = status;
        this.value = value;
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
