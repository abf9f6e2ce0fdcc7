package io.dxnet.tools.bench;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Request;

/** The request of the round-trip pattern. */
final class EchoRequest extends Request<EchoResponse> {
    private byte[] payload;

    EchoRequest() {}

    EchoRequest(int destination, byte[] payload) {
        super(destination, Types.ECHO_REQUEST, 0);
        this.payload = payload;
    }

    byte[] payload() {
        return payload;
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
