package io.dxnet.tools.ledger.node;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Request;
import io.dxnet.tools.ledger.book.Kind;

/** A request with a payload that is checked. */
final class BookedRequest extends Request<BookedResponse> {
    final Payload payload = new Payload();

    BookedRequest() {}

    BookedRequest(int receiver, long word, int bytes) {
        super(receiver, Types.DATA, Kind.REQUEST.ordinal());
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
