package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Response;

/** Returns the payload of an {@link EchoRequest}. */
final class EchoResponse extends Response {
    private byte[] payload;

    EchoResponse() {}

    EchoResponse(EchoRequest request) {
        super(request, Types.ECHO_RESPONSE, 0);
        this.payload = request.payload();
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeBytes(payload);
    }

    @Override
    public void importObject(Importer importer) {
        payload = new byte[importer.remaining()];
        importer.readBytes(payload);
    }

    @Override
    public int sizeOfObject() {
        return payload.length;
    }
}
