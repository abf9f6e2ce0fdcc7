package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.runtime.request.ServiceRequest;

/** Asks whether an attachment is valid, where a device has refused an operation. */
final class StatusRequest extends ServiceRequest<StatusReply> {
    static final int TYPE = 4;

    private final StatusReply reply = new StatusReply(TYPE);
    private long attachment;

    /** One to be received. */
    StatusRequest() {}

    /** An outgoing one. */
    StatusRequest(int owner, long attachment) {
        super(owner, TYPE);
        this.attachment = attachment;
    }

    long attachment() {
        return attachment;
    }

    StatusReply reply() {
        return reply;
    }

    @Override
    protected StatusReply emptyResponse() {
        return reply;
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
