package io.dxnet.tools.ycsb;

import io.dxnet.Exporter;
import io.dxnet.Importer;
import io.dxnet.ObjectSize;
import io.dxnet.Request;

/** What a client asks a storage node to do with one record. */
final class Operation extends Request<Outcome> {
    /** The operations. */
    enum Kind {
        READ,
        /** Puts a whole record. */
        INSERT,
        /** Replaces some fields of a record. */
        UPDATE,
        DELETE
    }

    static final int TYPE = 220;
    static final int SUBTYPE = 0;

    private static final Kind[] KINDS = Kind.values();
    private static final byte[] NOTHING = {};

    private Kind kind;
    private String key;
    private byte[] row;

    Operation() {}

    Operation(int destination, Kind kind, String key) {
        this(destination, kind, key, NOTHING);
    }

    Operation(int destination, Kind kind, String key, byte[] row) {
        super(destination, TYPE, SUBTYPE);
        this.kind = kind;
        this.key = key;
        this.row = row;
    }

    Kind kind() {
        return kind;
    }

    String key() {
        return key;
    }

    /** A {@link Row}; empty for {@link Kind#READ} and {@link Kind#DELETE}. */
    byte[] row() {
        return row;
    }

    @Override
    public void exportObject(Exporter exporter) {
        exporter.writeByte((byte) kind.ordinal());
        exporter.writeString(key);
        exporter.writeByteArray(row);
    }

    @Override
    public void importObject(Importer importer) {
        kind = KINDS[importer.readByte()];
        key = importer.readString();
        row = importer.readByteArray();
    }

    @Override
    public int sizeOfObject() {
        return 1 + ObjectSize.ofString(key) + ObjectSize.ofByteArray(row);
    }
}
