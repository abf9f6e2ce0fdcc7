package io.dxnet.tools.ledger.node;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Response;

/** The response carries its request's name. */
final class BookedResponse extends Response {
    final Payload payload = new Payload();

    BookedResponse() {}

    BookedResponse(BookedRequest request, int bytes) {
        super(request, Types.DATA, Types.RESPONSE);
        payload.set(request.payload.word(), bytes, request.source());
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
