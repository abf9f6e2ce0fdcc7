package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.lang.foreign.MemorySegment;

/** Reads a piece. */
final class ReadRequest extends PieceRequest<ReadReply> {
    static final int TYPE = 1;

    private long attachment;
    private long offset;
    private int length;
    private final MemorySegment target; // of an outgoing one

    /** One to be received. */
    ReadRequest() {
        this.target = MemorySegment.NULL;
    }

    /** An outgoing one. */
    ReadRequest(int owner, long attachment, long offset, MemorySegment target) {
        super(owner, TYPE);
        this.attachment = attachment;
        this.offset = offset;
        this.length = (int) target.byteSize();
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

    /** Reads the bytes, into the target or, where the request is abandoned, to nowhere. */
    synchronized void fill(Importer importer) {
        if (isAbandoned()) {
            Bytes.skip(importer, length);
        } else {
            importer.readBytes(target);
        }
    }

    @Override
    protected ReadReply emptyResponse() {
        return new ReadReply(this);
    }

    @Override
    void exportPiece(Exporter exporter) {
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
