package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import java.lang.foreign.MemorySegment;

/** Reads a piece. */
final class ReadRequest extends PieceRequest<ReadReply> {
    static final int TYPE = 1;

    private final ReadReply reply = new ReadReply(this);
    private long attachment;
    private long offset;
    private int length;
    private MemorySegment target = MemorySegment.NULL; // of an outgoing one

    /** One to be received. */
    ReadRequest() {}

    /** An outgoing one. */
    ReadRequest(int owner) {
        super(owner, TYPE);
    }

    /** It reads so many bytes now, all of the target. */
    ReadRequest read(long of, long from, MemorySegment to) {
        attachment = of;
        offset = from;
        length = (int) to.byteSize();
        target = to;
        return this;
    }

    /** {@return its answer: one that was received has one, which is written at once} */
    ReadReply reply() {
        return reply;
    }

    @Override
    void forget() {
        super.forget();
        target = MemorySegment.NULL;
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
        return reply;
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
