package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;

/** Changes 8 bytes atomically. */
final class AtomicRequest extends PieceRequest<StatusReply> {
    static final int TYPE = 3;

    private long attachment;
    private long offset;
    private boolean compares;
    private long value;
    private long expected;

    /** One to be received. */
    AtomicRequest() {}

    /**
     * An outgoing one.
     *
     * @param compares whether it sets the value where it is the expected one; false: it adds the
     *     value
     */
    AtomicRequest(int owner, long attachment, long offset, boolean compares, long value, long expected) {
        super(owner, TYPE);
        this.attachment = attachment;
        this.offset = offset;
        this.compares = compares;
        this.value = value;
        this.expected = expected;
    }

    long attachment() {
        return attachment;
    }

    long offset() {
        return offset;
    }

    /** Carries it out; inside the region's gate. */
    long carryOut(OwnedRegion region) {
        return compares ? region.compareAndSwap(offset, expected, value) : region.fetchAdd(offset, value);
    }

    @Override
    protected StatusReply emptyResponse() {
        return new StatusReply();
    }

    @Override
    void exportPiece(Exporter exporter) {
        exporter.writeLong(attachment);
        exporter.writeLong(offset);
        exporter.writeBoolean(compares);
        exporter.writeLong(value);
        exporter.writeLong(expected);
    }

    @Override
    public void importObject(Importer importer) {
        attachment = importer.readLong();
        offset = importer.readLong();
        compares = importer.readBoolean();
        value = importer.readLong();
        expected = importer.readLong();
    }

    @Override
    public int sizeOfObject() {
        return 4 * Long.BYTES + 1;
    }
}
