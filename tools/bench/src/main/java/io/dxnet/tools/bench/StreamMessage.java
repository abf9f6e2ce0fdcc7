package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;

/**
 * The message of the throughput patterns: a payload and nothing else, copied into a byte
 * array of its own when received.
 */
final class StreamMessage extends Message {
    private byte[] payload;

    StreamMessage() {}

    StreamMessage(int destination, boolean reused, byte[] payload) {
        super(destination, Types.STREAM, reused ? Types.REUSED : Types.FRESH);
        this.payload = payload;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeBytes(payload);
    }

    @Override
    public void importObject(Importer importer) {
        int length = importer.remaining();
        if (payload == null || payload.length != length) {
            payload = new byte[length];
        }
        importer.readBytes(payload);
    }

    @Override
    public int sizeOfObject() {
        return payload.length;
    }
}
