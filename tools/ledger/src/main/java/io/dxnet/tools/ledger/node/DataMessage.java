package io.dxnet.tools.ledger.node;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.tools.ledger.book.Kind;

/** A message with a payload that is checked. */
final class DataMessage extends Message {
    final Payload payload = new Payload();
    final Kind kind;

    DataMessage(Kind kind) {
        this.kind = kind;
    }

    DataMessage(Kind kind, int receiver, long word, int bytes) {
        super(receiver, Types.DATA, kind.ordinal());
        this.kind = kind;
        payload.set(word, bytes, receiver);
    }

    @Override
    public void exportObject(Exporter exporter) {
        payload.write(exporter);
    }

    @Override
    public void importObject(Importer importer) {
        payload.read(importer);
    }

    @Override
    public int sizeOfObject() {
        return payload.bytes();
    }
}
