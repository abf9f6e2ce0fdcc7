package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.Response;

/** A node's answer to a {@link Command}. */
final class Answer extends Response {
    static final int SUBTYPE = 1;

    private boolean ok;
    private long[] values;
    private String text;
    private byte[] histogram;

    Answer() {}

    Answer(Command command, Reply reply) {
        super(command, Types.CONTROL, SUBTYPE);
        this.ok = reply.ok();
        this.values = reply.values();
        this.text = reply.text();
        this.histogram = reply.histogram();
    }

    Reply reply() {
        return new Reply(ok, values, text, histogram);
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeBoolean(ok);
        exporter.writeLongArray(values);
        exporter.writeString(text);
        exporter.writeByteArray(histogram);
    }

    @Override
    public void importObject(Importer importer) {
        ok = importer.readBoolean();
        values = importer.readLongArray();
        text = importer.readString();
        histogram = importer.readByteArray();
    }

    @Override
    public int sizeOfObject() {
        return 1 + ObjectSize.ofLongArray(values) + ObjectSize.ofString(text) + ObjectSize.ofByteArray(histogram);
    }
}
