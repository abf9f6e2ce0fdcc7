package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.runtime.request.ServiceRequest;
import org.jspecify.annotations.Nullable;

/** Reads a piece. */
final class ReadRequest extends ServiceRequest<ReadReply> {
    static final int TYPE = 1;

    private long attachment;
    private long offset;
    private int length;
    private final @Nullable ReadTarget target; // null of one that was received

    /** One to be received. */
    ReadRequest() {
        this.target = null;
    }

    /** An outgoing one. */
    ReadRequest(int owner, long attachment, long offset, ReadTarget target) {
        super(owner, TYPE);
        this.attachment = attachment;
        this.offset = offset;
        this.length = target.length();
        this.target = target;
    }

    long attachment() {
        return attachment;
    }

    long offset() {
        return offset;
    }

    int length() {
        return length;
    }

    @Override
    @SuppressWarnings("NullAway") // an outgoing one has a target
    protected ReadReply emptyResponse() {
        return new ReadReply(target);
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeLong(attachment);
        exporter.writeLong(offset);
        exporter.writeInt(length);
    }

    @Override
    public void importObject(Importer importer) {
        attachment = importer.readLong();
        offset = importer.readLong();
        length = importer.readInt();
    }

    @Override
    public int sizeOfObject() {
        return 2 * Long.BYTES + Integer.BYTES;
    }
}
