package io.dxnet.contract;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.Message;
import io.dxnet.ObjectSize;
import io.dxnet.Request;
import io.dxnet.Response;

/** The messages of the contract suite. */
public final class TestMessages {
    public static final int TYPE = 7;
    public static final int DATA = 1;
    public static final int PING = 2;
    public static final int PONG = 3;
    public static final int RUDE = 4;
    public static final int UNREGISTERED = 99;

    private TestMessages() {}

    /** A thread number, a sequence number and bytes that follow from the two. */
    public static final class Data extends Message {
        public int thread;
        public int sequence;
        public byte[] payload;

        public Data() {}

        public Data(int destination, int thread, int sequence, int bytes) {
            super(destination, TYPE, DATA);
            this.thread = thread;
            this.sequence = sequence;
            this.payload = payload(thread, sequence, bytes);
        }

        public Data(int[] destinations, int thread, int sequence, int bytes) {
            super(destinations, TYPE, DATA);
            this.thread = thread;
            this.sequence = sequence;
            this.payload = payload(thread, sequence, bytes);
        }

        public static byte[] payload(int thread, int sequence, int bytes) {
            byte[] payload = new byte[bytes];
            int x = thread * 31 + sequence;
            for (int i = 0; i < bytes; i++) {
                x = x * 1103515245 + 12345;
                payload[i] = (byte) (x >>> 16);
            }
            return payload;
        }

        public boolean isIntact() {
            return java.util.Arrays.equals(payload, payload(thread, sequence, payload.length));
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeInt(thread);
            exporter.writeCompactInt(sequence);
            exporter.writeByteArray(payload);
        }

        @Override
        public void importObject(Importer importer) {
            thread = importer.readInt();
            sequence = importer.readCompactInt();
            payload = importer.readByteArray();
        }

        @Override
        public int sizeOfObject() {
            return Integer.BYTES + ObjectSize.ofCompactInt(sequence) + ObjectSize.ofByteArray(payload);
        }
    }

    /** One number. */
    public static final class Number extends Message {
        static final int SUBTYPE = 51;

        private int value;

        Number() {}

        Number(int destination) {
            super(destination, TYPE, SUBTYPE);
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeInt(value);
        }

        @Override
        public void importObject(Importer importer) {
            value = importer.readInt();
        }

        @Override
        public int sizeOfObject() {
            return Integer.BYTES;
        }
    }

    /** A request with a text; the answer has the same text and the bytes that it asks for. */
    public static final class Ping extends Request<Pong> {
        public String text;
        public int bytes;

        public Ping() {}

        public Ping(int destination, String text, int bytes) {
            super(destination, TYPE, PING);
            this.text = text;
            this.bytes = bytes;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeString(text);
            exporter.writeInt(bytes);
        }

        @Override
        public void importObject(Importer importer) {
            text = importer.readString();
            bytes = importer.readInt();
        }

        @Override
        public int sizeOfObject() {
            return ObjectSize.ofString(text) + Integer.BYTES;
        }
    }

    /** The answer to {@link Ping}. */
    public static class Pong extends Response {
        public String text;
        public byte[] payload;

        public Pong() {}

        public Pong(Ping ping) {
            super(ping, TYPE, PONG);
            this.text = ping.text;
            this.payload = Data.payload(0, ping.bytes, ping.bytes);
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeString(text);
            exporter.writeByteArray(payload);
        }

        @Override
        public void importObject(Importer importer) {
            text = importer.readString();
            payload = importer.readByteArray();
        }

        @Override
        public int sizeOfObject() {
            return ObjectSize.ofString(text) + ObjectSize.ofByteArray(payload);
        }
    }

    /** A message that misbehaves in a chosen way. */
    public static final class Rude extends Message {
        enum How {
            THROWS_IN_EXPORT,
            WRITES_LESS,
            WRITES_MORE,
            THROWS_IN_IMPORT,
            READS_LESS,
            READS_MORE
        }

        How how;
        private final int bytes;

        Rude() {
            this.bytes = 0;
        }

        Rude(int destination, How how, int bytes) {
            super(destination, TYPE, RUDE);
            this.how = how;
            this.bytes = bytes;
        }

        @Override
        public void exportObject(Exporter exporter) {
            exporter.writeByte((byte) how.ordinal());
            exporter.writeBytes(new byte[bytes / 2]);
            switch (how) {
                case THROWS_IN_EXPORT -> throw new IllegalStateException("rude export");
                case WRITES_LESS -> exporter.writeBytes(new byte[bytes - bytes / 2 - 1]);
                case WRITES_MORE -> exporter.writeBytes(new byte[bytes - bytes / 2 + 1]);
                default -> exporter.writeBytes(new byte[bytes - bytes / 2]);
            }
        }

        @Override
        public void importObject(Importer importer) {
            how = How.values()[importer.readByte()];
            switch (how) {
                case THROWS_IN_IMPORT -> throw new IllegalStateException("rude import");
                case READS_LESS -> importer.readBytes(new byte[importer.remaining() - 1]);
                case READS_MORE -> importer.readBytes(new byte[importer.remaining() + 1]);
                default -> importer.readBytes(new byte[importer.remaining()]);
            }
        }

        @Override
        public int sizeOfObject() {
            return 1 + bytes;
        }
    }
}
