package io.dxnet.tools.compare.peers;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.Request;
import io.dxnet.Response;

/** What an application on DXNet declares: its messages. */
final class DxnetMessages {
    static final int TYPE = 1;
    static final int BYTES = 0;
    static final int ECHO = 1;
    static final int ANSWER = 2;

    private DxnetMessages() {}

    private static byte[] readAll(Importer importer) {
        byte[] payload = new byte[importer.remaining()];
        importer.readBytes(payload);
        return payload;
    }

    /** A message one way. */
    static final class Bytes extends Message {
        private byte[] payload;

        Bytes() {}

        Bytes(int destination) {
            super(destination, TYPE, BYTES);
        }

        void set(byte[] bytes) {
            payload = bytes;
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
            payload = readAll(importer);
        }

        @Override
        public int sizeOfObject() {
            return payload.length;
        }
    }

    /** A request whose response has the same payload. */
    static final class Echo extends Request<Answer> {
        private byte[] payload;

        Echo() {}

        Echo(int destination, byte[] payload) {
            super(destination, TYPE, ECHO);
            this.payload = payload;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeBytes(payload);
        }

        @Override
        public void importObject(Importer importer) {
            payload = readAll(importer);
        }

        @Override
        public int sizeOfObject() {
            return payload.length;
        }
    }

    /** The response. */
    static final class Answer extends Response {
        private byte[] payload;

        Answer() {}

        Answer(Echo echo) {
            super(echo, TYPE, ANSWER);
            this.payload = echo.payload;
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
            payload = readAll(importer);
        }

        @Override
        public int sizeOfObject() {
            return payload.length;
        }
    }
}
