package io.dxnet.runtime.memory;

import io.dxnet.Exporter;
import io.dxnet.Importer;

/** Changes 8 bytes atomically. */
final class AtomicRequest extends PieceRequest<StatusReply> {
    static final int TYPE = 3;

    private final StatusReply reply = new StatusReply(TYPE);
    private long attachment;
    private long offset;
    private boolean compares;
    private long value;
    private long expected;

    /** One to be received. */
    AtomicRequest() {}

    /** An outgoing one. */
    AtomicRequest(int owner) {
        super(owner, TYPE);
    }

    /** It adds to 8 bytes now. */
    AtomicRequest add(long of, long at, long delta) {
        return change(of, at, false, delta, 0);
    }

    /** It sets 8 bytes now, where they are what is expected. */
    AtomicRequest compareAndSet(long of, long at, long next, long before) {
        return change(of, at, true, next, before);
    }

    private AtomicRequest change(long of, long at, boolean isComparison, long next, long before) {
        attachment = of;
        offset = at;
        compares = isComparison;
        value = next;
        expected = before;
        return this;
    }

    StatusReply reply() {
        return reply;
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
        return reply;
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
