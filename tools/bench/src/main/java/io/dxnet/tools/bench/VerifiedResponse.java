package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Response;

/**
 * Returns size, key and sequence number of a {@link VerifiedRequest}, in a payload generated anew.
 */
final class VerifiedResponse extends Response {
    private int size;
    private long key;
    private long sequence;
    private boolean intact;

    VerifiedResponse() {}

    VerifiedResponse(VerifiedRequest request) {
        super(request, Types.VERIFIED_RESPONSE, 0);
        this.size = request.size();
        this.key = request.key();
        this.sequence = request.sequence();
    }

    /**
     * Whether this is the whole and unchanged answer to message
     * {@code sentSequence} of stream {@code sentKey}.
     */
    boolean answers(int sentSize, long sentKey, long sentSequence) {
        if (size != sentSize || !intact) {
            return false;
        }
        return sequence == Payload.truncate(sentSequence, Payload.sequenceBits(size))
                && key == Payload.truncate(sentKey, Payload.keyBits(size));
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
