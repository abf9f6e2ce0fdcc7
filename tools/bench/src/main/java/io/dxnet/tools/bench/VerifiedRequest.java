package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Request;

/** The request of the round-trip pattern with {@code --verify}. */
final class VerifiedRequest extends Request<VerifiedResponse> {
    private int size;
    private long key;
    private long sequence;
    private boolean intact;

    VerifiedRequest() {}

    VerifiedRequest(int destination, int thread, int size) {
        super(destination, Types.VERIFIED_REQUEST, thread);
        this.size = size;
    }

    /** Makes this the request {@code sequence} of stream {@code key}. */
    void next(long key, long sequence) {
        this.key = key;
        this.sequence = sequence;
    }

    int size() {
        return size;
    }

    long key() {
        return key;
    }

    long sequence() {
        return sequence;
    }

    boolean intact() {
        return intact;
    }

    @Override
    public void exportObject(Exporter exporter) {
        Payload.writer().write(exporter, size, key, sequence);
    }

    @Override
    public void importObject(Importer importer) {
        size = importer.remaining();
        Payload reader = Payload.reader();
        reader.read(importer);
        key = reader.key();
        sequence = reader.sequence();
        intact = reader.intact();
    }

    @Override
    public int sizeOfObject() {
        return size;
    }
}
