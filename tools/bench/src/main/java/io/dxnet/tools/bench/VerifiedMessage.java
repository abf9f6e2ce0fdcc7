package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;

/**
 * The message of the throughput patterns with {@code --verify}: a generated
 * {@link Payload}, checked while it is read.
 */
final class VerifiedMessage extends Message {
    private int size;
    private long key;
    private long sequence;
    private boolean intact;

    VerifiedMessage() {}

    VerifiedMessage(int destination, int thread, int size) {
        super(destination, Types.VERIFIED, thread);
        this.size = size;
    }

    /** Makes this the message {@code sequence} of stream {@code key}. */
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
        Payload reader = Payload.reader();
        size = importer.remaining();
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
